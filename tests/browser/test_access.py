"""Who one is: tokens that end, people of several workspaces, drafts that belong to a person and not to a token."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.world import World

ME = {"workspace": "demo", "role": "member", "name": "person-1a2b3c4d", "expires_at": "2026-12-01T09:00:00Z"}


def answering(page: Page, cloud: World, *answers: tuple[int, Any]) -> list[dict[str, str]]:
    """GET /me answers these, one after the other, the last one for ever; the headers with which it was asked."""
    left, heard = list(answers), []

    def answer(route: Route) -> None:
        heard.append(route.request.headers)
        status, body = left.pop(0) if len(left) > 1 else left[0]
        headers = {"Access-Control-Allow-Origin": cloud.page, "Content-Type": "application/json"}
        route.fulfill(status=status, body=json.dumps(body), headers=headers)

    page.route("**/api/v1/me", answer)
    return heard


def refusal(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "details": details}}


def test_an_expired_token_is_asked_for_anew_in_words_that_say_so(open_page: Open, cloud: World) -> None:
    page = open_page("", token="")
    words = "The sign-in has expired: sign in again."
    answering(page, cloud, (401, refusal("token_expired", words)))
    page.get_by_label("Token").fill("old")
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_have_text(words)


def test_a_person_of_several_workspaces_says_which(open_page: Open, cloud: World) -> None:
    page = open_page("#/settings", token="")
    needed = refusal("workspace_needed", "Name one.", workspaces=["demo", "family"])
    heard = answering(page, cloud, (400, needed), (200, ME))
    page.goto(f"{cloud.page}/#/notes")
    page.get_by_label("Token").fill(cloud.token)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="demo").click()
    expect(page.get_by_label("Text of the note")).to_be_visible()
    assert [one.get("x-memex-workspace") for one in heard[:2]] == [None, "demo"]
    page.goto(f"{cloud.page}/#/settings")
    expect(page.locator("main")).to_contain_text("Workspace demo, as person-1a2b3c4d, member")
    expect(page.locator("main")).to_contain_text("It ends")


def test_a_draft_is_there_with_the_next_token_of_the_same_person(open_page: Open, cloud: World) -> None:
    page = open_page("#/settings", token="")
    known = {"authorization": f"Bearer {cloud.token}"}
    page.route("**/api/v1/**", lambda route: route.fallback(headers=route.request.headers | known))
    answering(page, cloud, (200, ME))
    page.goto(f"{cloud.page}/#/notes")
    page.get_by_label("Token").fill("first")
    page.keyboard.press("Enter")
    page.get_by_label("Text of the note").fill("Half a thought")
    page.goto(f"{cloud.page}/#/settings")
    page.get_by_role("button", name="Forget the token").click()
    page.get_by_label("Token").fill("second")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of the note")).to_have_value("Half a thought")
