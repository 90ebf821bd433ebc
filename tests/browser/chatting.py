"""What the tests of the chat share: scripts for the model, and what is said and seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from infra.local.aiplatform.model_script import ModelScript
from tests.browser.world import World

BOX = "Message"


def script(cloud: World, *items: Mapping[str, Any], pace: float | None = None) -> None:
    """The model says this to the next request that offers it tools."""
    body = ModelScript(items, pace_seconds=pace).to_json()
    answer = cloud.http.post(
        "/_cloud/aiplatform/model-scripts", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == httpx.codes.OK, answer.text


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
    expect(end).to_contain_text(word, timeout=30_000)
    return end


def session(page: Page) -> str:
    """The id of the session whose address the page has."""
    return page.url.rpartition("/")[2]


def trace(cloud: World, session_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cloud.get(f"/chat/sessions/{session_id}?limit=200")["session"]["trace"]
    return found


def types(cloud: World, session_id: str) -> list[str]:
    return [str(event["type"]) for event in trace(cloud, session_id)]
