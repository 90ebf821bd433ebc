"""What the tests of the chat share: what is said and seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.world import World

BOX = "Message"


def ask(page: Page, text: str) -> Locator:
    """Send a message with Enter; returns its turn."""
    box = page.get_by_label(BOX)
    box.fill(text)
    box.press("Enter")
    turn = page.locator(".turn").filter(has_text=text).last
    expect(turn).to_be_visible()
    return turn


def answered(turn: Locator, word: str = "Answered") -> Locator:
    """The line at the end of a turn, once it is there."""
    end = turn.locator(".end")
    expect(end).to_contain_text(word)
    return end


def session(page: Page) -> str:
    """The id of the session whose address the page has."""
    return page.url.rpartition("/")[2]


def trace(cloud: World, session_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cloud.get(f"/chat/sessions/{session_id}?limit=200")["session"]["trace"]
    return found


def types(cloud: World, session_id: str) -> list[str]:
    return [str(event["type"]) for event in trace(cloud, session_id)]
