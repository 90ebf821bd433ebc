"""Serving the invented pages on a port of their own: nothing else is there that a fetch could reach."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from flask import Flask, Response

from infra.local.front.server import Server
from infra.local.web.corpus import pages

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

_NO_PAGE = "<!doctype html><title>Not found</title><p>There is no such invented page.</p>"
_LIST = "<!doctype html><title>Invented pages of the local cloud</title><h1>Invented pages</h1><ul>{}</ul>"


class WebPart:
    """`start()` it with a listener that is bound, `close()` it; it keeps nothing."""

    def __init__(self) -> None:
        self._server: Server | None = None

    def start(self, listener: socket.socket) -> None:
        self._server = Server(listener, application(), "web")
        self._server.start()

    def close(self) -> None:
        """Idempotent."""
        if self._server is not None:
            self._server.close()


def application() -> Flask:
    """The pages as a WSGI application."""
    app = Flask("web", static_folder=None)
    by_path = {page.path: page for page in pages()}

    @app.get("/")
    def index() -> AnyResponse:
        items = "".join(f'<li><a href="{page.path}">{page.title}</a></li>' for page in by_path.values())
        return Response(_LIST.format(items))

    @app.get("/<site>/<name>")
    def page(site: str, name: str) -> AnyResponse:
        found = by_path.get(f"/{site}/{name}")
        return Response(found.html) if found else Response(_NO_PAGE, 404)

    return app
