"""Every view has twins: the same as JSON, as the API has it, and as Markdown, at the same address with an ending."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.browser.chatting import answered, ask, session
from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World

VIEWS = [
    *("notes", "notes/{note}", "chat", "chat/{chat}", "tasks", "approvals", "operations", "operations/{operation}"),
    *("runs", "documents", "usage", "trash", "memory", "memory/short", "memory/graph", "memory/contradictions"),
    *("memory/rejected", "brain", "brain/queue", "brain/picture"),
]


def test_every_view_is_there_as_json_and_as_markdown(open_page: Open, report: dict[str, str]) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, "What do my notes say about flour?"))
    ids = report | {"chat": session(page)}
    shown = page.locator("main pre")
    for address in VIEWS:
        for ending in ("json", "md"):
            page.evaluate("address => { location.hash = address }", f"#/{address.format(**ids)}.{ending}")
            expect(page.locator("main:not([aria-busy]) h1")).to_have_text(
                re.compile("JSON$" if ending == "json" else "Markdown$")
            )
            text = shown.inner_text()
            assert isinstance(json.loads(text), dict) if ending == "json" else re.match("(# |---)", text), address
    assert violations(page) == []


def test_a_twin_says_what_its_view_says(open_page: Open, cloud: World) -> None:
    page = open_page("#/notes?q=autolyse")
    page.keyboard.press("Control+k")
    page.keyboard.type("markdown")
    page.keyboard.press("Enter")
    shown = page.locator("main pre")
    link = f"[The base loaf]({cloud.page}/#/notes/{cloud.loaf()})"
    expect(shown).to_contain_text(f"- {link}")
    page.goto(f"{cloud.page}/#/notes.json?q=autolyse")
    expect(shown).to_contain_text('"title": "The base loaf"')
    expect(shown).not_to_contain_text("The battery in the cold garage")
    page.get_by_role("link", name="The view").click()
    expect(page.get_by_label("Search notes")).to_have_value("autolyse")
    page.goto(f"{cloud.page}/#/notes/{cloud.loaf()}.md")
    expect(shown).to_contain_text('title: "The base loaf"')
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    assert saved.value.suggested_filename == "note.md"
    page.goto(f"{cloud.page}/#/settings.json")
    expect(page.get_by_role("alert").filter(has_text="nothing of which")).to_be_visible()
