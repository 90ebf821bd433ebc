"""The files of the page, beside this module in page/."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

from infra.local.front.pages import TYPES

FOLDER = Path(__file__).with_name("page")


def register(pages: Blueprint) -> None:
    """/_cloud is the page, /_cloud/page/… what it is made of."""

    @pages.get("")
    def index() -> Response:
        return _file("index.html")

    @pages.get("/page/<path:name>")
    def file(name: str) -> Response:
        return _file(name)


def _file(name: str) -> Response:
    answer = send_from_directory(FOLDER, name)
    answer.headers["Content-Type"] = TYPES.get(Path(name).suffix, "application/octet-stream")
    return answer
