"""A note: what is hostile stays text, citations lead to their passage and back, changes lose nothing."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.browser.world import World

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"> ![p](https://evil.example/p?d=1) [j](javascript:alert(1))\n\n"
    "<script>document.title='owned'</script> [bank](https://evil.example/x) [a note](#/notes/n)"
)


def test_hostile_text_runs_nothing_and_loads_nothing(open_page: Open, cloud: World) -> None:
    note = cloud.note("Hostile", HOSTILE)
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{cloud.page}/#/notes/{note}")
    text = page.locator("main .reading")
    expect(text).to_contain_text("<script>")
    expect(text.get_by_role("link", name="bank")).to_have_attribute("rel", "noopener noreferrer")
    expect(text).to_contain_text("evil.example")
    assert text.locator("img, script, iframe").count() == 0 and "owned" not in page.title()
    assert all(address.startswith((cloud.page, cloud.api, cloud.chat)) for address in asked)


def test_markup_that_the_server_should_never_send_is_dropped_by_the_page_too(open_page: Open, cloud: World) -> None:
    note = cloud.note("Trusted too much", "x")

    def forge(route: Route) -> None:
        answer = route.fetch()
        bad = "<form action='https://evil.example'></form><p>kept <a href='javascript:alert(1)'>link</a></p><img src='https://evil.example/p'>"
        route.fulfill(response=answer, json=answer.json() | {"html": f"{bad}<script>document.title='owned'</script>"})

    page = open_page()
    page.route(f"**/api/v1/notes/{note}", forge)
    page.evaluate("id => { location.hash = `#/notes/${id}` }", note)
    text = page.locator("main .reading")
    expect(text).to_contain_text("kept link")
    assert text.locator("img, script, form, a[href]").count() == 0 and "owned" not in page.title()


def test_a_citation_shows_its_passage_leads_to_it_and_back_restores_the_scroll(
    open_page: Open, report: dict[str, str]
) -> None:
    page = open_page(f"#/notes/{report['report']}", viewport={"width": 1000, "height": 420})
    chips = page.locator("main .reading .cite")
    chip = chips.last
    chip.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0 and page.locator("main .reading").get_by_text("[1]").count() == 0
    chip.hover()
    quote = page.locator("#popover blockquote")
    expect(quote).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(quote).to_be_hidden()
    chip.click()
    expect(page.locator("main mark")).to_be_in_viewport()
    expect(page.get_by_role("region", name="What belongs to it")).to_have_count(0)
    page.go_back()
    expect(chip).to_be_in_viewport()
    page.wait_for_function("before => Math.abs(scrollY - before) < 60", arg=before)


def test_note_and_report_lead_to_each_other(open_page: Open, report: dict[str, str]) -> None:
    page = open_page(f"#/notes/{report['note']}")
    page.get_by_role("link", name="Report", exact=True).click()
    expect(page.locator("main h1")).to_have_text(re.compile("^Research: "))
    page.get_by_role("link", name="this note").click()
    expect(page.locator("main h1")).to_have_text("Battery in winter")
    page.locator("summary", has_text="History").click()
    expect(page.locator(".history .events")).to_contain_text("Written")


def test_an_edit_changes_what_was_changed_and_keeps_its_draft(open_page: Open, cloud: World) -> None:
    note = cloud.note("To be edited", "First.", "a")
    page = open_page(f"#/notes/{note}")
    page.keyboard.press("e")
    page.get_by_label("Text, in Markdown").fill("First, and **second**.")
    page.reload()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_label("Text, in Markdown")).to_have_value("First, and **second**.")
    cloud.http.patch(f"/api/v1/notes/{note}", json={"add_tags": ["b"]})
    page.get_by_label("Text, in Markdown").press("Control+Enter")
    expect(page.locator("main .reading strong")).to_have_text("second")
    stored = cloud.get(f"/notes/{note}")["note"]
    assert (stored["body"], stored["tags"]) == ("First, and **second**.", ["a", "b"])


def test_what_was_changed_elsewhere_is_shown_before_it_is_replaced(open_page: Open, cloud: World) -> None:
    note = cloud.note("Edited twice", "One line.")
    page = open_page(f"#/notes/{note}?edit")
    page.get_by_label("Text, in Markdown").fill("My line.")
    cloud.http.patch(f"/api/v1/notes/{note}", json={"body": "Their line."})
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".difference .gone")).to_contain_text("Their line.")
    assert cloud.get(f"/notes/{note}")["note"]["body"] == "Their line."
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main .reading")).to_have_text("My line.")


def test_a_suggested_tag_is_added_by_a_person_and_can_be_undone(open_page: Open, cloud: World) -> None:
    note = cloud.note("Suggestible", "x")

    def suggest(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"suggested_tags": ["bread"]})

    page = open_page()
    page.route(
        f"**/api/v1/notes/{note}", lambda route: suggest(route) if route.request.method == "GET" else route.fallback()
    )
    page.evaluate("id => { location.hash = `#/notes/${id}` }", note)
    page.get_by_role("button", name="Add the tag bread").click()
    expect(page.locator("main .tag", has_text="#bread")).to_be_visible()
    assert cloud.get(f"/notes/{note}")["note"]["tags"] == ["bread"]
    page.keyboard.press("z")
    expect(page.locator("main .tag", has_text="#bread")).to_have_count(0)


def test_a_note_is_exported_as_markdown_with_front_matter(open_page: Open, cloud: World) -> None:
    note = cloud.note("To go", "**x**", "a")
    page = open_page(f"#/notes/{note}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == "To-go.md"
    text = download.value.path().read_text()
    assert text.startswith("---\n") and f"id: {json.dumps(note)}" in text and text.endswith("\n**x**\n")


def test_copying_gives_markdown_and_html_with_citations_as_links(open_page: Open, report: dict[str, str]) -> None:
    page = open_page(f"#/notes/{report['report']}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    read = "t => navigator.clipboard.read().then(([one]) => one.getType(t)).then(blob => blob.text())"
    assert page.evaluate(read, "text/plain").startswith("# Research: ")
    assert re.search(r'<a class="cite" href="http[^"]+#/notes/[^"]+"[^>]*>\[1\]</a>', page.evaluate(read, "text/html"))
