"""Where the chat is: beside the other views, a page of its own, on a phone; and the chats there are."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from infra.local.aiplatform.model_script import call, say, think
from tests.browser.chatting import BOX, answered, ask, session
from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World


def test_the_chat_stands_beside_the_views_and_goes_on_while_one_walks_about(open_page: Open, cloud: World) -> None:
    gate = cloud.gate()
    cloud.script(say("Slowly "), gate.item, say("said."))
    page = open_page("#/notes", viewport={"width": 1280, "height": 800})
    page.get_by_role("button", name="New", exact=True).click()
    turn = ask(page, "Walk about meanwhile.")
    expect(turn.locator(".answer")).to_contain_text("Slowly")
    for address in ("#/tasks", "#/chat", "#/settings"):
        page.evaluate("address => { location.hash = address }", address)
        expect(page.locator("#aside")).to_be_visible(visible=address != "#/chat")
        expect(turn.locator(".answer")).to_contain_text("Slowly")
    gate.open()
    answered(turn)
    expect(turn.locator(".answer")).to_have_text("Slowly said.")


def test_its_width_is_chosen_and_remembered(open_page: Open) -> None:
    page = open_page("#/settings", viewport={"width": 1280, "height": 800})
    edge = page.get_by_role("separator")
    expect(edge).to_have_attribute("aria-valuenow", "380")
    edge.press("ArrowLeft")
    expect(edge).to_have_attribute("aria-valuenow", "396")
    box = edge.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, 300)
    page.mouse.down()
    page.mouse.move(200, 300)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "560")
    page.reload()
    expect(page.locator("#aside")).to_have_css("width", "560px")
    page.get_by_role("button", name="Hide the chat").click()
    expect(page.locator("#aside")).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="Show the chat").click()
    expect(page.get_by_label(BOX)).to_be_visible()


def test_on_a_phone_it_is_a_page_and_enter_breaks_the_line(open_page: Open) -> None:
    page = open_page("#/chat?new", viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    expect(page.locator("#aside")).to_be_hidden()
    box = page.get_by_label(BOX)
    box.fill("one")
    box.press("Enter")
    expect(box).to_have_value("one\n")
    assert box.evaluate("box => getComputedStyle(box).fontSize") == "16px"
    page.get_by_role("button", name="Send").click()
    answered(page.locator(".turn").last)
    bottom = page.locator(".composer").bounding_box()
    assert bottom and 790 < bottom["y"] + bottom["height"] <= 800
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_chats_are_listed_renamed_and_deleted_with_a_way_back(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, "What do my notes say about water?"))
    mine = session(page)
    page.get_by_role("button", name="What do my notes say about water?").click()
    page.get_by_role("button", name="Rename What do my notes say about water?").click()
    page.get_by_label("Title of the chat").fill("Of water")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Rename Of water").wait_for()
    assert cloud.get(f"/chat/sessions/{mine}")["session"]["title"] == "Of water"
    page.get_by_role("button", name="Delete the chat Of water").click()
    expect(page.get_by_role("button", name="Rename Of water")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Of water", exact=True).click()
    expect(page.locator(".turn .question")).to_have_text("What do my notes say about water?")
    page.locator(".chat > header .name").click()
    page.get_by_role("button", name="Delete the chat Of water").click()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Close").click()
    assert cloud.http.get(f"/api/v1/chat/sessions/{mine}").status_code == 404
    page.goto(f"{cloud.page}/#/chat/{mine}")
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="not there any more")).to_be_visible()


def test_an_empty_chat_offers_examples(open_page: Open) -> None:
    page = open_page("#/chat?new")
    assert page.locator(".empty li").count() == 3
    page.locator(".empty button").first.click()
    answered(page.locator(".turn").last)
    assert page.locator(".empty").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 820, 390])
def test_axe_finds_nothing_in_the_chat(open_page: Open, cloud: World, scheme: str, width: int) -> None:
    page = open_page(
        "#/chat?new", color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce"
    )
    found = {"empty": violations(page)}
    note = cloud.get("/notes?limit=1")["notes"][0]["id"]
    cloud.script(think("Hm."), call("read_note", note_id="absent"), call("list_tasks"))
    cloud.script(
        say(f"# Head\n\n- one [two](#/notes/{note}) and [three](#/notes/absent)\n\n> quote\n\n```\ncode\n```\n")
    )
    turn = ask(page, "Show me everything.")
    answered(turn)
    expect(turn.locator(".unverified")).to_be_visible()
    found["turn"] = violations(page)
    page.locator(".chat > header .name").click()
    page.locator(".sessions .list").wait_for()
    found["sessions"] = violations(page)
    if width > 899:
        page.evaluate("() => { location.hash = '#/settings' }")
        page.locator("#aside .composer").wait_for()
        page.locator("main .state.completed").wait_for()
        found["beside"] = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert {name: lines for name, lines in found.items() if lines} == {}
