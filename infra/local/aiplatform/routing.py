"""The parts of a path that every route of the platform shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, request
from flask.blueprints import BlueprintSetupState
from werkzeug.routing import BaseConverter

from infra.local.aiplatform.errors import ApiError

DEVELOPER = "/<ai_version:version>"
VERTEX = "/<ai_version:version>/projects/<project>/locations/<location>"


class _Version(BaseConverter):
    """v1, v1beta, v1beta1, v2alpha: any version segment."""

    regex = r"v\d+(?:(?:alpha|beta)\d*)?"


def install_converter(blueprint: Blueprint) -> None:
    """Make `<ai_version:…>` known to the app before the blueprint's rules are added to it."""

    def add(state: BlueprintSetupState) -> None:
        state.app.url_map.converters["ai_version"] = _Version

    blueprint.record(add)


def both(blueprint: Blueprint, path: str, view: Callable[..., Any], method: str, vertex: str | None = None) -> None:
    """Route `path` under the Gemini and the Vertex prefix; `vertex` is the path there when it differs."""
    blueprint.add_url_rule(DEVELOPER + path, view_func=_guarded(view), methods=[method], endpoint=view.__name__)
    blueprint.add_url_rule(
        VERTEX + (vertex or path), view_func=_guarded(view), methods=[method], endpoint=f"vertex_{view.__name__}"
    )


def developer(blueprint: Blueprint, path: str, view: Callable[..., Any], method: str) -> None:
    """Route `path` under the Gemini prefix alone."""
    blueprint.add_url_rule(DEVELOPER + path, view_func=_guarded(view), methods=[method], endpoint=view.__name__)


def on_vertex() -> bool:
    return "project" in (request.view_args or {})


def _guarded(view: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse a caller without credentials; any key or token is good. The path's common parts are dropped."""

    def guarded(**arguments: Any) -> Any:
        bearer = request.headers.get("Authorization", "").partition(" ")
        key = request.headers.get("x-goog-api-key") or request.args.get("key")
        if not key and not (bearer[0].lower() == "bearer" and bearer[2].strip()):
            raise ApiError(401, "Request is missing required authentication credential: an API key or OAuth 2 token.")
        for name in ("version", "project", "location"):
            arguments.pop(name, None)
        return view(**arguments)

    return guarded
