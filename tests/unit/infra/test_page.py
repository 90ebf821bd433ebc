"""What the page must never do, read from its sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from infra.docs import ROOT

PAGE = ROOT / "web_static"
SCRIPTS = sorted(PAGE.rglob("*.js"))
MARKUP_FROM_TEXT = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc")
OUTSIDE = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[a-z]")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_text_never_becomes_markup(path: Path) -> None:
    assert not MARKUP_FROM_TEXT.search(path.read_text())


@pytest.mark.parametrize("path", sorted(PAGE.rglob("*.*")), ids=lambda path: path.name)
def test_nothing_comes_from_another_host(path: Path) -> None:
    assert not OUTSIDE.search(path.read_text())


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_import_is_there(path: Path) -> None:
    for name in re.findall(r'from "([^"]+)"', path.read_text()):
        assert name.startswith("./") and (path.parent / name).is_file(), name


def test_the_document_has_no_script_or_style_of_its_own() -> None:
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", html)
    for name in re.findall(r'(?:src|href)="([^"#]+)"', html):
        assert (PAGE / name).is_file(), name
