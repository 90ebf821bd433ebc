"""web_static at /, served as infra/hosting.json says, which production's hosting reads too."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, request, send_from_directory

HOSTING = Path(__file__).parents[2] / "hosting.json"
_HOSTING: dict[str, dict[str, str]] = json.loads(HOSTING.read_text())
TYPES = _HOSTING["types"]
NOT_SERVED = (".md",)
COMPRESSED = (".js", ".css", ".html", ".json", ".svg", ".webmanifest")


def headers_of(api: Sequence[str] = ()) -> dict[str, str]:
    """The headers of every file; `api` are the origins beside its own that the page may talk to."""
    values = {name: value.replace("{api}", " ".join(api)) for name, value in _HOSTING["headers"].items()}
    return {name: value.replace(" ;", ";") for name, value in values.items()}


HEADERS = headers_of()


PLACES = "/memex.json"
"""Where the page reads which origin answers which paths of the API."""


def blueprint(folder: Path, places: Mapping[str, str] | None = None) -> Blueprint:
    """The files below `folder`: each has an entity tag, is revalidated at every use, compressed for who takes that.

    `places` are the origins of the API by the beginnings of its paths, where it is not at the page's own.
    """
    pages = Blueprint("pages", __name__)
    headers = headers_of(sorted(set((places or {}).values())))

    @pages.get(PLACES)
    def where() -> Response:
        return Response(json.dumps(places or {}), headers={**headers, "Content-Type": TYPES[".json"]})

    @pages.get("/")
    @pages.get("/<path:name>")
    def page(name: str = "") -> Response:
        name = _HOSTING["rewrites"].get(f"/{name}", name)
        answer = send_from_directory(folder, name if Path(name).suffix not in NOT_SERVED else "absent")
        answer.headers["Content-Type"] = TYPES.get(Path(name).suffix, answer.headers["Content-Type"])
        answer.headers.update(headers)
        return _compressed(answer, folder / name)

    return pages


def _compressed(answer: Response, path: Path) -> Response:
    answer.headers["Vary"] = "Accept-Encoding"
    plain = path.suffix not in COMPRESSED or request.accept_encodings["gzip"] <= 0
    answer.direct_passthrough = False
    # Read or left now, in either case: a client that goes away would leave an open file behind.
    content = answer.get_data() if plain and answer.status_code == 200 else b""
    answer.close()
    if answer.status_code != 200:
        answer.response = []
        return answer
    answer.set_data(content if plain else _gzip(path, path.stat().st_mtime_ns))
    if not plain:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


@lru_cache(maxsize=256)
def _gzip(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
