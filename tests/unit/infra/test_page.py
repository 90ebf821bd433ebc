"""What the page must never do, and what must be true of its files, read from its sources."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest

from infra.docs import ROOT
from infra.local.front.pages import COMPRESSED, PLACES, TYPES
from infra.local.prices import AS_OF, PRICES

PAGE = ROOT / "web_static"
SERVED = sorted(path for path in PAGE.rglob("*.*") if path.is_file() and path.suffix != ".md")
SCRIPTS = [path for path in SERVED if path.suffix == ".js"]
MARKUP_FROM_TEXT = re.compile(
    r"outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|innerHTML\s*="
)
OUTSIDE = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[a-z]")
MOST_BYTES = 150_000


def named(path: Path) -> str:
    return str(path.relative_to(PAGE))


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_text_becomes_markup_in_one_place_only(path: Path) -> None:
    assert bool(MARKUP_FROM_TEXT.search(path.read_text())) == (named(path) == "core/trusted.js")


@pytest.mark.parametrize("path", SERVED, ids=named)
def test_nothing_comes_from_another_host(path: Path) -> None:
    assert not OUTSIDE.search(path.read_text())


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_every_import_is_there(path: Path) -> None:
    for name in re.findall(r'(?:from|import) "([^"]+)"', path.read_text()):
        assert name.startswith(".") and (path.parent / name).is_file(), name


def test_every_view_has_its_folder_with_a_module() -> None:
    names = re.findall(r'\{ name: "(\w+)"', (PAGE / "views.js").read_text())
    assert names
    for name in names:
        assert (PAGE / "views" / name / f"{name}.js").is_file(), name


def test_the_document_has_no_script_or_style_of_its_own() -> None:
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", html)
    for name in re.findall(r'(?:src|href)="([^"#]+)"', html):
        assert name == PLACES or (name.startswith("/") and (PAGE / name[1:]).is_file()), name


def test_everything_is_kept_for_when_there_is_no_network() -> None:
    """What the worker finds, which reads of each file what it names; and nothing lies there that nobody asks for."""
    worker = (PAGE / "sw.js").read_text()
    names, views = (
        re.compile(found) for found in re.findall(r"^const (?:NAMED|VIEW) = /(.+)/g;$", worker, re.MULTILINE)
    )
    found, ahead = set(), ["index.html"]
    while ahead:
        if (name := ahead.pop()) in found:
            continue
        found.add(name)
        text = (PAGE / name).read_text() if name != "memex.json" else ""
        ahead += [urljoin(f"/{name}", one)[1:] for one in names.findall(text)]
        ahead += [f"views/{one}/{one}.js" for one in views.findall(text) if name == "views.js"]
    assert found == {named(path) for path in SERVED} - {"sw.js"} | {"memex.json"}


def test_the_page_is_small() -> None:
    """As it is sent (docs/decisions/2026-11-30-what-the-page-weighs.md): its hosts compress, the local cloud too."""
    assert sum(len(gzip.compress(path.read_bytes())) for path in SERVED) < MOST_BYTES


def test_every_kind_of_file_in_it_is_compressed_where_it_is_served() -> None:
    assert {path.suffix for path in SERVED} <= set(COMPRESSED) & set(TYPES)


def test_every_export_is_imported_by_someone() -> None:
    texts = {path: path.read_text() for path in SCRIPTS}
    for path, text in texts.items():
        for name in re.findall(r"^export (?:async )?(?:function\*?|const|class) (\w+)", text, re.MULTILINE):
            used = (other for one, other in texts.items() if one != path and re.search(rf"\b{name}\b", other))
            assert name == "show" or any(used), f"{named(path)}: nobody uses {name}"


def test_the_prices_are_those_of_the_table() -> None:
    text = (PAGE / "core/prices.js").read_text()
    assert AS_OF in text
    for name in ("input_tokens", "output_tokens"):
        assert float(re.findall(rf"{name}: ([\d.]+)", text)[0]) == PRICES["aiplatform", name].usd
    assert (
        float(re.findall(r"PER_THOUSAND_SEARCHES = ([\d.]+)", text)[0])
        == PRICES["aiplatform", "grounding_searches"].usd
    )
