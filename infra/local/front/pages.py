"""web_static at /, with the headers a page of ours always has."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def blueprint(folder: Path) -> Blueprint:
    """The files below `folder`; / is its index.html. Each has an entity tag and is revalidated at every use."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    @pages.get("/<path:name>")
    def page(name: str = "index.html") -> Response:
        answer = send_from_directory(folder, name)
        answer.headers["Content-Type"] = TYPES.get(Path(name).suffix, answer.headers["Content-Type"])
        answer.headers.update(HEADERS)
        return answer

    return pages
