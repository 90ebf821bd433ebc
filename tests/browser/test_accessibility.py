"""axe finds nothing on any view, light or dark, wide or narrow."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.world import World

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIEWS = {
    "feed": "#/notes",
    "search": "#/notes?q=battery",
    "nothing found": "#/notes?q=zzzz",
    "note": "#/notes/{note}",
    "report": "#/notes/{report}",
    "edit": "#/notes/{note}?edit",
    "runs": "#/operations",
    "run": "#/operations/{operation}",
    "agent runs": "#/runs",
    "documents": "#/documents",
    "memory": "#/memory",
    "brain": "#/brain",
    "usage": "#/usage",
    "trash": "#/trash",
    "tasks": "#/tasks",
    "approvals": "#/approvals",
    "capture": "#/capture?url=https://a.example/&title=A+page",
    "settings": "#/settings",
    "help": "#/help",
    "not there": "#/notes/absent",
}


def violations(page: Page) -> list[str]:
    """What axe finds, a line for each."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)
    return [
        f"{one['id']}: {node['html'][:200]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_view(open_page: Open, report: dict[str, str], scheme: str, width: int) -> None:
    page = open_page("#/help", color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    found = {}
    for name, address in VIEWS.items():
        page.evaluate(
            "address => { location.hash = address; document.getElementById('main').ariaBusy = 'true'; }",
            address.format(**report),
        )
        page.locator("main:not([aria-busy]) h1").wait_for(state="attached")
        found[name] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the screen"
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_axe_finds_nothing_while_asked_for_the_token_and_with_what_lies_above(open_page: Open, cloud: World) -> None:
    page = open_page("", token="")
    assert violations(page) == []
    page.get_by_label("Token").fill(cloud.token)
    page.keyboard.press("Enter")
    page.locator(".feed li").first.wait_for()
    page.keyboard.press("Control+k")
    page.locator("#found [role=option]").first.wait_for()
    assert violations(page) == []
