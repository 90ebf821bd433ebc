"""The page as production serves it: at its own origin, the functions api and chat at two others, which it may ask."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from infra.local.aiplatform.model_script import say
from tests.browser.chatting import answered, ask
from tests.browser.conftest import Open
from tests.browser.world import World


@pytest.fixture
def asked(open_page: Open, cloud: World) -> Iterator[list[tuple[str, str]]]:
    """What pages ask of the API, as (origin, path); preflights are not told."""
    page = open_page("#/help")
    found: list[tuple[str, str]] = []

    def hear(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.path.startswith("/api/"):
            found.append((f"{parts.scheme}://{parts.netloc}", parts.path))

    page.context.on("request", hear)
    yield found


def going(page: Page, cloud: World, address: str) -> None:
    page.goto(f"{cloud.page}/{address}")
    page.locator("main:not([aria-busy]) h1").wait_for(state="attached")


def test_each_function_is_asked_at_its_own_address(open_page: Open, cloud: World, asked: list[tuple[str, str]]) -> None:
    page = open_page("#/chat?new")
    cloud.script(say("It streams."))
    turn = ask(page, "Does an answer come from another origin?")
    answered(turn)
    expect(turn.locator(".answer")).to_contain_text("It streams.")
    going(page, cloud, "#/notes")
    page.get_by_label("Text of the note").fill("Written across origins")
    page.get_by_label("Text of the note").press("Control+Enter")
    expect(page.locator(".feed .title").first).to_have_text("Written across origins")
    assert cloud.get("/notes?limit=1")["notes"][0]["body"] == "Written across origins"
    chats = {origin for origin, path in asked if path.startswith("/api/v1/chat/")}
    others = {origin for origin, path in asked if not path.startswith("/api/v1/chat/")}
    assert (chats, others) == ({cloud.chat}, {cloud.api})


def test_the_policy_allows_these_addresses_and_no_others(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    answer = page.goto(f"{cloud.page}/")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    (connect,) = (one.split() for one in policy.split("; ") if one.startswith("connect-src"))
    assert set(connect[1:]) == {"'self'", cloud.api, cloud.chat}


def test_an_address_that_a_person_chose_goes_before_what_the_page_was_told(
    open_page: Open, cloud: World, asked: list[tuple[str, str]]
) -> None:
    page = open_page("#/settings")
    page.get_by_label("Address of the API").fill(cloud.api)
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("status").filter(has_text="Connected")).not_to_contain_text("chats at")
    asked.clear()
    going(page, cloud, "#/chat?new")
    answered(ask(page, "And now?"))
    assert {origin for origin, _ in asked} == {cloud.api}


def test_a_page_that_is_told_nothing_asks_its_own_origin(
    open_page: Open, cloud: World, asked: list[tuple[str, str]]
) -> None:
    page = open_page("#/help")
    page.route("**/memex.json", lambda route: route.fulfill(status=404))
    page.reload()
    page.evaluate("location.hash = '#/notes'")
    expect(page.locator("main [role=alert], main h1").first).to_be_attached()
    page.locator("main:not([aria-busy])").wait_for()
    assert cloud.page in {origin for origin, _ in asked}
