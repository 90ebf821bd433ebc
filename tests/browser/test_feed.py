"""The feed: capture, drafts, search, keys, deleting with a way back, research under way."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.world import QUESTION, World
from tests.support.waiting import wait_until

BOX = "Text of the note"


def titles(page: Page) -> list[str]:
    return page.locator(".feed .title").all_inner_texts()


def keep(page: Page, text: str, tags: str = "") -> None:
    page.get_by_label(BOX).fill(text)
    page.get_by_label(re.compile("^Tags")).fill(tags)
    page.get_by_label(BOX).press("Control+Enter")


def test_a_capture_is_there_at_once_and_kept_with_its_tags(open_page: Open, cloud: World) -> None:
    page = open_page()
    keep(page, "A thought about yeast", "#Bread, idea")
    expect(page.locator(".ahead .title, .feed .title").filter(has_text="A thought about yeast")).to_be_visible()
    expect(page.locator(".feed .title").first).to_have_text("A thought about yeast")
    assert page.get_by_label(BOX).input_value() == ""
    note = cloud.get("/notes?limit=1")["notes"][0]
    assert (note["body"], note["tags"]) == ("A thought about yeast", ["bread", "idea"])


def test_enter_breaks_the_line_and_a_composition_commits_nothing(open_page: Open) -> None:
    page = open_page()
    box = page.get_by_label(BOX)
    box.fill("one")
    box.press("Enter")
    assert box.input_value() == "one\n"
    composing = "{ key: 'Enter', ctrlKey: true, isComposing: true, bubbles: true, cancelable: true }"
    box.evaluate(f"box => box.dispatchEvent(new KeyboardEvent('keydown', {composing}))")
    assert box.input_value() == "one\n"


def test_a_capture_that_fails_stays_in_place_and_is_sent_once_by_retry(open_page: Open, cloud: World) -> None:
    page = open_page()
    page.route("**/api/v1/notes", lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    keep(page, "Written in a tunnel")
    waiting = page.locator(".ahead li")
    expect(waiting).to_contain_text("Saved on this device")
    page.reload()
    expect(waiting).to_contain_text("Written in a tunnel")
    expect(page.locator("#outbox")).to_have_text("1 note saved on this device")
    page.unroute("**/api/v1/notes")
    waiting.get_by_role("button", name="Retry").click()
    expect(waiting).to_have_count(0)
    expect(page.locator(".feed .title").first).to_have_text("Written in a tunnel")
    assert len(cloud.get("/notes?q=Written in a tunnel")["notes"]) == 1


def test_an_answer_that_is_lost_makes_no_second_note(open_page: Open, cloud: World) -> None:
    page = open_page()
    lost = []

    def lose(route: object) -> None:
        if route.request.method == "POST" and not lost:  # type: ignore[attr-defined]
            lost.append(route.fetch())  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.fallback()  # type: ignore[attr-defined]

    page.route("**/api/v1/notes", lose)
    keep(page, "Only once, please")
    page.locator(".ahead").get_by_role("button", name="Retry").click()
    expect(page.locator(".feed .title").first).to_have_text("Only once, please")
    assert lost and len(cloud.get("/notes?q=Only once, please")["notes"]) == 1


def test_what_the_server_refuses_says_why_and_can_be_taken_back(open_page: Open) -> None:
    page = open_page()
    keep(page, "Too long a tag", "x" * 65)
    waiting = page.locator(".ahead li")
    expect(waiting).to_contain_text("Not saved")
    expect(waiting).to_contain_text("tags.0")
    waiting.get_by_role("button", name="Back into the box").click()
    expect(waiting).to_have_count(0)
    assert page.get_by_label(BOX).input_value() == "Too long a tag"


def test_a_draft_survives_the_page_and_is_gone_when_it_is_kept(open_page: Open) -> None:
    page = open_page()
    page.get_by_label(BOX).fill("Half a sen")
    page.reload()
    expect(page.get_by_label(BOX)).to_have_value("Half a sen")
    page.get_by_label(BOX).press("Control+Enter")
    expect(page.locator(".feed .title").first).to_have_text("Half a sen")
    page.reload()
    expect(page.get_by_label(BOX)).to_have_value("")


def test_search_finds_as_one_types_and_the_address_keeps_it(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("/")
    page.keyboard.type("autolyse")
    best = page.locator(".feed .title").first  # a digest of the day may speak of it too
    expect(best).to_have_text("The base loaf")
    expect(page.locator(".feed mark").first).to_have_text(re.compile("autolyse", re.IGNORECASE))
    assert page.url.endswith("#/notes?q=autolyse")
    best.click()
    expect(page.locator("main .reading")).to_contain_text("Autolyse one hour")
    page.go_back()
    expect(page.get_by_label("Search notes")).to_have_value("autolyse")
    expect(best).to_have_text("The base loaf")


def test_tags_and_kinds_narrow_the_feed(open_page: Open, report: dict[str, str]) -> None:
    page = open_page()
    page.locator(".feed .tag", has_text="#bread").last.click()
    expect(page.locator(".feed .title").last).to_have_text("The base loaf")
    assert page.url.endswith("?tag=bread")
    page.get_by_role("button", name="All tags").click()
    page.get_by_label("Kind").select_option("research")
    expect(page.locator(".feed .title")).to_have_text([f"Research: {QUESTION[0]}"])


def test_a_deleted_note_is_gone_at_once_and_comes_back_by_z(open_page: Open, cloud: World) -> None:
    note = cloud.note("Short-lived", "x")
    page = open_page()
    row = page.locator(f'[data-row="{note}"]')
    row.locator(".title").focus()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.keyboard.press("#")
    expect(row).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("Deleted “Short-lived”.")
    assert cloud.http.get(f"/api/v1/notes/{note}").status_code == 404
    page.keyboard.press("z")
    expect(row).to_have_count(1)
    assert cloud.get(f"/notes/{note}")["note"]["title"] == "Short-lived"


def test_leaving_the_page_loses_no_deletion(open_page: Open, cloud: World) -> None:
    note = cloud.note("Left behind", "x")
    page = open_page(f"#/notes/{note}")
    page.get_by_role("button", name="Delete").click()
    page.goto(f"{cloud.page}/manifest.webmanifest")
    wait_until(lambda: cloud.http.get(f"/api/v1/notes/{note}").status_code == 404, what="the deletion")


def test_a_deletion_that_fails_shows_the_note_again(open_page: Open, cloud: World) -> None:
    note = cloud.note("Stays", "x")
    page = open_page()
    page.route(
        "**/api/v1/notes/*", lambda route: route.abort() if route.request.method == "DELETE" else route.fallback()
    )
    row = page.locator(f'[data-row="{note}"]')
    row.locator(".title").focus()
    page.keyboard.press("#")
    expect(page.locator(".toast").last).to_contain_text("Not deleted")
    expect(row).to_have_count(1)


def test_rows_are_walked_and_opened_by_keys(open_page: Open) -> None:
    page = open_page()
    page.locator(".feed li").first.wait_for()
    for letter in "jjk":
        page.keyboard.press(letter)
    first = titles(page)[0]
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("o")
    expect(page.locator("main h1")).to_have_text(first)
    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page.locator("main h1")).to_have_text("Research")


def test_research_under_way_shows_its_time_and_steps_and_then_the_report(open_page: Open, cloud: World) -> None:
    gate = cloud.hold_research()
    page = open_page()
    keep(page, "What does night charging in winter do to the battery?", "research")
    badge = page.locator(".feed .pending")
    expect(badge).to_contain_text("research pending")
    expect(badge.locator(".number")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(badge.locator(".step")).not_to_have_text("")
    gate.open()
    expect(badge).to_have_count(0)
    expect(page.locator(".feed .kind.research").first).to_be_visible()
