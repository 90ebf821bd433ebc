"""Agent runs: started, watched while the plan fills, stopped, read after a reload, and as a card in the chat."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from infra.local.aiplatform.model_script import call, endless, say
from tests.browser.chatting import answered, ask
from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World

GOAL = "Look into night charging of the battery and into the base loaf, and put it in a table"


def start(page: Page, goal: str = GOAL) -> Locator:
    """Start a run from the form; returns its progress."""
    page.get_by_label("Goal").fill(goal)
    page.get_by_label("Goal").press("Control+Enter")
    progress = page.get_by_label("Progress")
    expect(progress).to_be_visible()
    return progress


def run_of(cloud: World, page: Page) -> dict[str, Any]:
    found: dict[str, Any] = cloud.get(f"/agent_runs/{page.url.rpartition('/')[2]}")["run"]
    return found


def test_a_run_is_started_watched_and_is_the_same_after_a_reload(open_page: Open, cloud: World) -> None:
    page = open_page("#/runs")
    expect(page.locator("main .empty")).to_be_visible()
    assert violations(page) == []
    progress = start(page)
    expect(page.locator("header .state")).to_have_text(re.compile("Answered"))
    planned = run_of(cloud, page)["plan"]
    expect(progress.get_by_role("heading")).to_have_text(f"{len(planned)} of {len(planned)}")
    expect(progress.locator(".plan > li.succeeded")).to_have_count(len(planned))
    expect(progress).to_contain_text("of $5.00 at most")
    answer = page.locator("section").filter(has=page.get_by_role("heading", name="Answer"))
    expect(answer.locator(".cite").first).to_be_visible()
    text = answer.inner_text()
    assert violations(page) == []
    page.reload()
    expect(answer).to_have_text(re.compile(re.escape(text[:60].split("\n")[-1])))
    expect(progress.locator(".plan > li.succeeded")).to_have_count(len(planned))
    page.get_by_role("link", name="Open as a note").click()
    expect(page.locator("main h1")).to_contain_text("Look into night charging")
    expect(page.get_by_label("What belongs to it").get_by_role("link", name="run")).to_be_visible()
    page.goto(f"{cloud.page}/#/runs")
    expect(page.locator("main li").first).to_contain_text("Answered")
    expect(page.locator("main form")).to_contain_text("stops at $5.00")
    assert violations(page) == []


def test_steps_open_to_what_they_found_and_what_they_called(open_page: Open, cloud: World) -> None:
    page = open_page("#/runs")
    start(page, "Compare the base loaf with the battery in the cold garage")
    expect(page.locator("header .state")).to_have_text(re.compile("Answered"))
    step = page.locator(".steps > li[data-step]").nth(1)
    expect(step.locator("summary").first).to_contain_text(re.compile(r"\d+ calls?"))
    step.locator("summary").first.click()
    chip = step.locator(".reading .cite").first
    expect(chip).to_have_text(re.compile(r"^\d+\.\d+$"))
    chip.hover()
    expect(page.locator("#popover blockquote")).not_to_have_text("")
    page.mouse.move(0, 0)
    call_line = step.locator(".steps > li").first
    call_line.locator("summary").click()
    expect(call_line).to_contain_text("Input")
    assert violations(page) == []


def test_a_run_is_stopped_by_a_key_and_keeps_what_it_has(open_page: Open, cloud: World) -> None:
    cloud.script(endless("One more word. "), pace=0.3)
    page = open_page("#/runs")
    progress = start(page, "Look into the base loaf")
    expect(progress.locator(".plan > li.running").first).to_be_visible()
    expect(progress.locator(".age")).to_have_text(re.compile(r"last event \d+:\d\d ago"))
    assert violations(page) == []
    page.locator("main h1").click()
    page.keyboard.press(".")
    expect(page.locator("header .state")).to_have_text(re.compile("Stopped"))
    expect(progress.locator(".plan > li.running")).to_have_count(0)
    assert run_of(cloud, page)["status"] == "cancelled"
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_the_step_that_runs_is_open_and_a_reload_in_it_shows_the_same(open_page: Open, cloud: World) -> None:
    cloud.script(call("search_notes", query="loaf"))
    cloud.script(endless("Flour and water. "), pace=0.3)
    page = open_page("#/runs", viewport={"width": 390, "height": 800})
    start(page, "Look into the base loaf, slowly")
    for _ in range(2):
        line = page.locator(".steps .steps > li").first
        expect(line).to_contain_text("Search notes loaf")
        expect(line).to_be_visible()
        page.reload()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("header .state")).to_have_text(re.compile("Stopped"))


def test_a_run_that_a_chat_started_is_a_card_there_and_answers_there(open_page: Open, cloud: World) -> None:
    cloud.script(call("start_run", goal=GOAL))
    cloud.script(say("I have started a run; its answer will come here."))
    page = open_page("#/chat?new")
    turn = ask(page, "Compare night charging with the base loaf")
    answered(turn)
    card = turn.get_by_label("Run")
    expect(card.locator(".plan li").first).to_be_visible()
    expect(card).to_contain_text("Answered")
    told = page.locator(".turn.ran")
    expect(told.locator(".cite").first).to_be_visible()
    assert violations(page) == []
    page.reload()
    expect(told).to_have_count(1)
    expect(page.get_by_label("Run", exact=True)).to_contain_text("Answered")
    told.get_by_role("link", name="How it went").click()
    expect(page.get_by_label("Progress")).to_be_visible()
    expect(page.get_by_role("link", name="The chat that began it")).to_be_visible()


def test_where_runs_are_not_allowed_the_sentence_is_said_and_the_goal_kept(open_page: Open, cloud: World) -> None:
    message = "The month's 200 runs are used up or set aside."

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        body = json.dumps({"error": {"code": "quota", "message": message, "details": {}}})
        headers = {"Access-Control-Allow-Origin": cloud.page}
        return route.fulfill(status=429, body=body, content_type="application/json", headers=headers)

    page = open_page("#/runs")
    page.route("**/api/v1/agent_runs", refuse)
    page.get_by_label("Goal").fill("Anything")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("form").get_by_role("alert")).to_have_text(f"Not started: {message}")
    expect(page.get_by_label("Goal")).to_have_value("Anything")
    assert violations(page) == []
