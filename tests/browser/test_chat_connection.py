"""The chat when connections break, pages are loaded anew, and there is more than one tab."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from infra.local.aiplatform.model_script import call, say
from tests.browser.chatting import BOX, answered, ask, session, trace, types
from tests.browser.conftest import Open
from tests.browser.world import World

MESSAGES = "**/messages?*"
RECONCILE = "**/api/v1/chat/sessions/*?limit=1"


def test_a_page_loaded_anew_in_mid_turn_shows_the_same_and_ends_the_same(open_page: Open, cloud: World) -> None:
    gate = cloud.gate()
    written = [say("One *two* three.\n\n"), *(say(f"word{n} ") for n in range(12)), gate.item, say("\n\nThe end.")]
    cloud.script(call("list_tasks"))
    cloud.script(*written, pace=0.05)
    cloud.script(*written, pace=0.05)  # the same again, for who carries the turn on
    page = open_page("#/chat?new")
    turn = ask(page, "Write slowly, please.")
    expect(turn.locator(".answer")).to_contain_text("word3")
    page.reload()
    turn = page.locator(".turn").last
    expect(turn.locator(".call")).to_contain_text("List tasks")
    expect(turn.locator(".answer")).to_contain_text("word3")
    gate.open()
    answered(turn)
    shown = turn.locator(".answer").inner_text()
    assert "The end." in shown and shown.count("word3 ") == 1
    assert types(cloud, session(page)).count("user_message") == 1
    page.reload()
    expect(page.locator(".turn .answer")).to_have_text([turn.locator(".answer").text_content() or ""])
    assert page.locator(".turn .answer").inner_text() == shown


def test_another_tab_sees_the_turn_and_its_own_message_waits(open_page: Open, cloud: World) -> None:
    gate = cloud.gate()
    cloud.script(say("Slowly "), gate.item, say("said."))
    first = open_page("#/chat?new")
    turn = ask(first, "Take your time.")
    expect(turn.locator(".answer")).to_contain_text("Slowly")
    second = open_page("#/settings")
    second.get_by_role("link", name="Whole page").wait_for()
    other = second.locator(".turn").last
    expect(other.locator(".question")).to_have_text("Take your time.")
    second.get_by_label(BOX).fill("And I?")
    second.get_by_label(BOX).press("Enter")
    expect(second.get_by_label(BOX)).to_have_value("And I?")
    gate.open()
    answered(other)
    answered(turn)
    expect(other.locator(".answer")).to_have_text("Slowly said.")
    assert types(cloud, session(first)).count("user_message") == 1


def test_a_message_that_meets_a_running_turn_is_given_back_and_the_turn_is_followed(
    open_page: Open, cloud: World
) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, "What do my notes say about flour?"))
    gate = cloud.gate()
    cloud.script(say("Elsewhere "), gate.item, say("asked."))
    page.route(RECONCILE, lambda route: route.abort())  # it hears of the other turn by the refusal alone
    path = f"/api/v1/chat/sessions/{session(page)}/messages"
    with cloud.http.stream(
        "POST", path, json={"text": "From elsewhere"}, headers={"Accept": "text/event-stream"}
    ) as stream:
        lines = stream.iter_lines()
        assert any("Elsewhere" in line for line in lines)
        page.get_by_label(BOX).fill("Mine")
        with page.expect_response(MESSAGES) as refused:
            page.get_by_label(BOX).press("Enter")
        assert refused.value.status == 409
        expect(page.get_by_label(BOX)).to_have_value("Mine")
        expect(page.locator(".notices")).to_contain_text("Another message is being answered")
        gate.open()
        assert any("turn_ended" in line for line in lines)
    answered(page.locator(".turn").last)
    expect(page.locator(".turn .question").last).to_have_text("From elsewhere")
    expect(page.locator(".turn .answer").last).to_have_text("Elsewhere asked.")


def test_a_message_that_fails_stays_with_its_text_and_is_sent_once_by_retry(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    page.route(MESSAGES, lambda route: route.abort())
    turn = ask(page, "Said in a tunnel")
    expect(turn).to_contain_text("Not sent")
    page.reload()
    expect(page.get_by_label(BOX)).to_have_value("Said in a tunnel")
    page.get_by_label(BOX).press("Enter")
    expect(page.locator(".unsent")).to_contain_text("Not sent")
    page.unroute(MESSAGES)
    page.locator(".unsent").get_by_role("button", name="Retry").click()
    answered(page.locator(".turn").last)
    expect(page.locator(".turn .question")).to_have_text(["Said in a tunnel"])
    assert types(cloud, session(page)).count("user_message") == 1
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.get_by_label(BOX)).to_have_value("")


def test_an_answer_that_is_lost_makes_no_second_turn(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    lost = []

    def lose(route: Route) -> None:
        if lost:
            return route.fallback()
        lost.append(route.fetch())
        return route.abort()

    page.route(MESSAGES, lose)
    ask(page, "Only once, please")
    page.locator(".unsent").get_by_role("button", name="Retry").click()
    answered(page.locator(".turn").last)
    assert lost and types(cloud, session(page)).count("user_message") == 1
    expect(page.locator(".turn")).to_have_count(1)


def test_a_stream_that_breaks_goes_on_where_it_was(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")

    def cut(route: Route) -> None:
        body = route.fetch().text()
        route.fulfill(status=200, content_type="text/event-stream", body=body[: body.index("event: done")][:-80])

    page.route(MESSAGES, cut)
    turn = ask(page, "What do my notes say about the night rate?")
    answered(turn)
    shown = [event["data"]["text"] for event in trace(cloud, session(page)) if event["type"] == "model_text"]
    assert len(shown) == turn.locator(".answer").count()


def test_what_is_not_sent_is_kept_by_session(open_page: Open) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, "What do my notes say about rye?"))
    page.get_by_label(BOX).fill("Half a sen")
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.get_by_label(BOX)).to_have_value("")
    page.get_by_role("button", name="New chat").click()
    page.locator(".sessions .name").first.click()
    expect(page.get_by_label(BOX)).to_have_value("Half a sen")
