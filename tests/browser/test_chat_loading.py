"""What is said while a chat is still being loaded, or cannot be sent: it stays, last, whatever is drawn before it."""

from __future__ import annotations

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from infra.local.aiplatform.model_script import say
from tests.browser.chatting import BOX, answered, ask, session, types
from tests.browser.conftest import Open
from tests.browser.world import World

LOAD = "**/api/v1/chat/sessions/*?html=1*"
MESSAGES = "**/messages?*"
EARLIER, NEW = "What do my notes say about flour?", "Said too early"


class Held:
    """The answers of the server to one kind of request, as they were when it was asked, held until they are let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page, self._arrived = page, False
        self._answers: list[tuple[Route, APIResponse]] = []
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        if self._arrived:
            route.continue_()
        else:
            self._answers.append((route, route.fetch()))

    def arrive(self) -> None:
        """All of them arrive, once there is one; requests go through from now on."""
        while not self._answers:
            self._page.wait_for_timeout(10)
        self._arrived = True
        for route, answer in self._answers:
            route.fulfill(response=answer)


def reloaded(open_page: Open) -> tuple[Page, Held]:
    """A chat with a turn, loaded anew; what the server has of it is still on its way."""
    page = open_page("#/chat?new")
    answered(ask(page, EARLIER))
    held = Held(page, LOAD)
    page.reload()
    return page, held


def questions(page: Page, *texts: str) -> None:
    expect(page.locator(".turn .question")).to_have_text(list(texts))


def test_it_waits_below_what_is_loaded_and_is_sent(open_page: Open, cloud: World) -> None:
    page, loading = reloaded(open_page)
    posts: list[Route] = []
    page.route(MESSAGES, lambda route: posts.append(route))
    ask(page, NEW)
    loading.arrive()
    questions(page, EARLIER, NEW)
    expect(page.locator(".turn").last).to_contain_text("Sending…")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    posts.pop().continue_()
    answered(page.locator(".turn").last)
    questions(page, EARLIER, NEW)
    assert types(cloud, session(page)).count("user_message") == 2
    page.reload()
    questions(page, EARLIER, NEW)
    expect(page.get_by_label(BOX)).to_have_value("")


@pytest.mark.parametrize("over", [False, True], ids=["while it is answered", "after it was answered"])
def test_what_is_loaded_late_and_old_stands_above_its_answer_and_stops_nothing(
    open_page: Open, cloud: World, over: bool
) -> None:
    page, loading = reloaded(open_page)
    gate = cloud.gate()
    cloud.script(say("Slowly "), gate.item, say("said."))
    turn = ask(page, NEW)
    expect(turn.locator(".answer")).to_contain_text("Slowly")
    if over:
        gate.open()
        answered(turn)
    loading.arrive()
    questions(page, EARLIER, NEW)
    if not over:
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        gate.open()
        answered(turn)
    expect(turn.locator(".answer")).to_have_text("Slowly said.")
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    assert types(cloud, session(page)).count("user_message") == 2


def test_what_cannot_be_sent_stays_below_what_is_loaded_though_the_same_was_said_before(
    open_page: Open, cloud: World
) -> None:
    page, loading = reloaded(open_page)
    page.route(MESSAGES, lambda route: route.abort())
    ask(page, EARLIER)
    expect(page.locator(".unsent")).to_contain_text("Not sent")
    loading.arrive()
    questions(page, EARLIER, EARLIER)
    expect(page.locator(".turn").last).to_contain_text("Not sent")
    page.unroute(MESSAGES)
    page.get_by_role("button", name="Retry").click()
    answered(page.locator(".turn").last)
    questions(page, EARLIER, EARLIER)
    assert types(cloud, session(page)).count("user_message") == 2


def test_two_that_cannot_be_sent_are_both_kept_and_both_sent(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, EARLIER))
    page.route(MESSAGES, lambda route: route.abort())
    for text in ("The first", "The second"):
        expect(ask(page, text)).to_contain_text("Not sent")
    questions(page, EARLIER, "The first", "The second")
    page.unroute(MESSAGES)
    for text in ("The second", "The first"):
        page.locator(".unsent").filter(has_text=text).get_by_role("button", name="Retry").click()
        answered(page.locator(".turn").filter(has=page.get_by_text(text, exact=True)))
    questions(page, EARLIER, "The second", "The first")
    assert types(cloud, session(page)).count("user_message") == 3


def test_a_message_of_which_only_the_answer_was_lost_is_in_the_box_no_more(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    answered(ask(page, EARLIER))
    page.route(MESSAGES, lambda route: (route.fetch(), route.abort()))
    page.route(LOAD, lambda route: route.abort())
    page.route("**/api/v1/chat/sessions/*?limit=1", lambda route: route.abort())
    expect(ask(page, "Taken, and not said so")).to_contain_text("Not sent")
    page.unroute_all()
    page.reload()
    questions(page, EARLIER, "Taken, and not said so")
    expect(page.get_by_label(BOX)).to_have_value("")
    expect(page.locator(".unsent")).to_have_count(0)
    assert types(cloud, session(page)).count("user_message") == 2


def test_the_same_words_once_more_are_another_message(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    page.route(MESSAGES, lambda route: route.abort())
    expect(ask(page, "Go on")).to_contain_text("Not sent")
    page.unroute(MESSAGES)
    page.reload()
    for n in range(2):
        page.get_by_label(BOX).fill("Go on")
        page.get_by_label(BOX).press("Enter")
        expect(page.locator(".turn")).to_have_count(n + 1)
        answered(page.locator(".turn").last)
    assert types(cloud, session(page)).count("user_message") == 2
