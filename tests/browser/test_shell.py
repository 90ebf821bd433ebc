"""The shell: the token, the theme, keys, the palette, offline, what comes in from outside."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.world import World


def test_the_token_is_asked_for_once_and_a_wrong_one_is_said(open_page: Open, cloud: World) -> None:
    page = open_page("#/operations", token="")
    page.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="not the token")).to_be_visible()
    page.get_by_label("Token").fill(cloud.token)
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("Research")
    page.reload()
    expect(page.locator("main h1")).to_have_text("Research")


def test_the_theme_is_chosen_kept_and_there_before_the_first_paint(open_page: Open) -> None:
    page = open_page("#/settings", color_scheme="light")
    page.get_by_label("Dark").check()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 19, 17)"
    page.reload(wait_until="commit")
    page.wait_for_function("document.body")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_one_letter_keys_can_be_switched_off(open_page: Open) -> None:
    page = open_page("#/settings")
    page.keyboard.press("?")
    expect(page.locator("main h1")).to_have_text("Help")
    page.go_back()
    page.get_by_label("One-letter keys").uncheck()
    page.locator("main h1").click()
    page.keyboard.press("?")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("main h1")).to_have_text("Settings")


def test_the_palette_goes_to_views_and_notes(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("Control+k")
    page.keyboard.type("loaf")
    expect(page.locator("#found [aria-selected=true]")).to_contain_text("The base loaf")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("The base loaf")


def test_settings_say_where_the_page_is_connected(open_page: Open, cloud: World) -> None:
    page = open_page("#/settings")
    expect(page.get_by_role("status").filter(has_text="Connected")).to_contain_text(cloud.api)


def test_what_comes_in_by_a_bookmarklet_is_kept_only_when_one_says_so(open_page: Open, cloud: World) -> None:
    page = open_page("capture?url=https%3A%2F%2Fa.example%2Fx&title=A+page&text=some+words")
    box = page.get_by_label("Text of the note")
    expect(box).to_have_value("A page\n\n> some words\n\nhttps://a.example/x")
    assert cloud.get("/notes?limit=1")["notes"][0]["title"] != "A page"
    box.press("Control+Enter")
    expect(page.locator(".feed .title").first).to_have_text("A page")
    assert cloud.get("/notes?limit=1")["notes"][0]["body"] == "> some words\n\nhttps://a.example/x"


def test_without_a_network_the_page_opens_and_what_is_written_is_sent_later(open_page: Open, cloud: World) -> None:
    page = open_page("#/notes", service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.reload()
    page.get_by_label("Text of the note").fill("Written on a train")
    page.get_by_label("Text of the note").press("Control+Enter")
    expect(page.locator("#outbox")).to_have_text("1 note saved on this device")
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_empty()
    assert len(cloud.get("/notes?q=Written on a train")["notes"]) == 1


def test_nothing_comes_from_elsewhere(open_page: Open, cloud: World) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{cloud.page}/#/notes")
    page.reload()
    page.locator(".feed li").first.wait_for()
    assert all(re.match(rf"{cloud.page}/|{cloud.api}/|{cloud.chat}/", address) for address in asked)
