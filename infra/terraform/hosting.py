"""Sends web_static to its site of Firebase Hosting: headers of infra/hosting.json, and where the functions are.

`terraform output -json | python -m infra.terraform.hosting`, which `make deploy` does. Hosting
takes a new version's files by their hashes, asks for those that it does not have, and then releases it whole: nobody
sees half of one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import yaml

from infra.local.front.pages import NOT_SERVED, PLACES, headers_of
from shared.contracts.manifest import HttpTrigger, Manifest

ROOT = Path(__file__).resolve().parents[2]
API = "https://firebasehosting.googleapis.com/v1beta1"
API_ROUTES = "/api/v1"
OBJECTS = "https://storage.googleapis.com/{project}-objects/"
"""Where large files are sent to signed addresses."""
TIMEOUT_SECONDS = 60.0


class Hosting:
    """One site. `token` gives an access token of Google's; raises httpx.HTTPError for what the service refuses."""

    def __init__(self, site: str, project: str, token: Callable[[], str], http: httpx.Client) -> None:
        self._site, self._http = f"sites/{site}", http
        self._headers = {"Authorization": f"Bearer {token()}", "X-Goog-User-Project": project}

    def publish(self, files: Mapping[str, bytes], config: Mapping[str, Any]) -> str:
        """Release these files, by their paths on the site; the version's name."""
        packed = {path: gzip.compress(content, 9, mtime=0) for path, content in files.items()}
        hashes = {path: hashlib.sha256(content).hexdigest() for path, content in packed.items()}
        version: str = self._call("POST", f"{API}/{self._site}/versions", json={"config": config})["name"]
        wanted = self._call("POST", f"{API}/{version}:populateFiles", json={"files": hashes})
        missing = set(wanted.get("uploadRequiredHashes", ()))
        for path in sorted(packed, key=lambda path: hashes[path]):
            if hashes[path] in missing:
                self._send(f"{wanted['uploadUrl']}/{hashes[path]}", packed[path])
                missing.discard(hashes[path])
        self._call("PATCH", f"{API}/{version}", params={"updateMask": "status"}, json={"status": "FINALIZED"})
        self._call("POST", f"{API}/{self._site}/releases", params={"versionName": version})
        return version

    def _call(self, method: str, url: str, **given: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self._request(method, url, **given).json()
        return answer

    def _send(self, url: str, content: bytes) -> None:
        self._request("POST", url, content=content, more={"Content-Type": "application/octet-stream"})

    def _request(self, method: str, url: str, *, more: Mapping[str, str] | None = None, **given: Any) -> httpx.Response:
        headers = {**self._headers, **(more or {})}
        return self._http.request(method, url, headers=headers, timeout=TIMEOUT_SECONDS, **given).raise_for_status()


def files_of(folder: Path) -> dict[str, bytes]:
    """By path on the site: what is served of the folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in NOT_SERVED)
    return {f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def places_of(manifest: Manifest, public: Mapping[str, str]) -> dict[str, str]:
    """The origins of the API by the beginnings of its paths; `public` are the addresses of functions by name."""
    return {
        route: public[row.name].rstrip("/")
        for row in manifest.functions
        if row.invoker == "public" and isinstance(row.trigger, HttpTrigger)
        for route in row.trigger.routes
        if f"{route}/".startswith(f"{API_ROUTES}/")
    }


def config_of(described: Mapping[str, Mapping[str, str]], api: Sequence[str]) -> dict[str, Any]:
    """hosting.json as Hosting wants it; `api` are what the page may talk to beside its own origin."""
    types = [
        {"glob": f"**/*{ending}", "headers": {"Content-Type": type_}} for ending, type_ in described["types"].items()
    ]
    rewrites = [{"glob": path, "path": f"/{name}"} for path, name in described["rewrites"].items() if path != "/"]
    return {"headers": [{"glob": "**", "headers": headers_of(api)}, *types], "rewrites": rewrites}


def main(outputs: Mapping[str, Any]) -> None:
    """Publish to the site that Terraform's outputs name."""
    from shared.gateway.default_token import DefaultToken

    described = json.loads((ROOT / "infra" / "hosting.json").read_text(encoding="utf-8"))
    manifest = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text("utf-8")))
    project = outputs["project"]["value"]
    places = places_of(manifest, outputs["public"]["value"])
    config = config_of(described, [*sorted(set(places.values())), OBJECTS.format(project=project)])
    files = {**files_of(ROOT / "web_static"), PLACES: json.dumps(places).encode()}
    with httpx.Client() as http:
        version = Hosting(outputs["site"]["value"], project, DefaultToken(), http).publish(files, config)
    sys.stdout.write(f"{outputs['page']['value']} is {version}\n")


if __name__ == "__main__":
    main(json.load(sys.stdin))
