"""Tasks: by their day, added, ticked off with a way back, changed in their place, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World


@pytest.fixture(autouse=True)
def _no_tasks_before(cloud: World) -> Iterator[None]:
    for task in cloud.get("/tasks?limit=200")["tasks"]:
        cloud.http.delete(f"/api/v1/tasks/{task['id']}").raise_for_status()
    yield


def task(cloud: World, title: str, days: int | None = None, **more: Any) -> str:
    due = None if days is None else str(date.today() + timedelta(days))
    answer = cloud.http.post("/api/v1/tasks", json={"title": title, "due": due, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["task"]["id"])


def row(page: Page, title: str) -> Locator:
    return page.locator("[data-row]").filter(has_text=title)


def test_tasks_stand_by_their_day_with_the_note_they_come_from(open_page: Open, cloud: World) -> None:
    note = cloud.loaf()
    for title, days in (("Whenever", None), ("Soon", 3), ("Now", 0), ("Long ago", -2)):
        task(cloud, title, days, source_note_id=note if title == "Now" else None)
    page = open_page("#/tasks")
    expect(page.locator("main section h2")).to_have_text(["Overdue", "Today", "Later", "No day"])
    ours = ["Long ago", "Now", "Soon", "Whenever"]  # other tests may have left tasks of theirs
    assert [title for title in page.locator("main section .title").all_text_contents() if title in ours] == ours
    row(page, "Now").get_by_role("link", name="From a note").click()
    expect(page.locator("main h1")).to_have_text("The base loaf")


def test_a_task_is_added_with_a_day_and_what_is_typed_is_kept(open_page: Open, cloud: World) -> None:
    page = open_page("#/tasks")
    expect(page.locator("main .empty")).to_contain_text("Nothing to do.")
    page.get_by_label("New task").fill("Order flour")
    page.get_by_label("Due day").fill(str(date.today() + timedelta(1)))
    page.reload()
    expect(page.get_by_label("New task")).to_have_value("Order flour")
    page.get_by_label("New task").press("Enter")
    expect(row(page, "Order flour")).to_contain_text("Tomorrow")
    expect(page.get_by_label("New task")).to_have_value("")
    (made,) = cloud.get("/tasks")["tasks"]
    assert made["due"] == str(date.today() + timedelta(1))


def test_an_addition_that_fails_keeps_its_text_and_is_made_once(open_page: Open, cloud: World) -> None:
    page = open_page("#/tasks")
    lost = []

    def lose(route: Any) -> None:
        if route.request.method != "POST" or lost:
            return route.fallback()
        lost.append(route.fetch())
        return route.abort()

    page.route("**/api/v1/tasks", lose)
    page.get_by_label("New task").fill("Only once")
    page.get_by_label("New task").press("Enter")
    expect(page.locator(".task-form .problem")).to_contain_text("Not saved")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("New task")).to_have_value("")
    assert len(cloud.get("/tasks")["tasks"]) == 1


def test_a_task_is_done_and_open_again_by_keys(open_page: Open, cloud: World) -> None:
    first, second = task(cloud, "First", 0), task(cloud, "Second", 1)
    page = open_page("#/tasks")
    row(page, "Second").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("main section .title")).to_have_text(["First"])
    assert cloud.get(f"/tasks/{second}")["task"]["done"] is True
    page.keyboard.press("z")
    expect(page.locator("main section .title")).to_have_text(["First", "Second"])
    assert cloud.get(f"/tasks/{second}")["task"]["done"] is False
    row(page, "First").get_by_role("checkbox").check()
    page.locator(".done summary").click()
    expect(page.locator(".done .title")).to_have_text("First")
    assert cloud.get(f"/tasks/{first}")["task"]["done"] is True


def test_a_task_is_changed_in_its_place_by_keys(open_page: Open, cloud: World) -> None:
    made = task(cloud, "Call Ana", 0, notes="About the roof.")
    page = open_page("#/tasks")
    row(page, "Call Ana").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("e")
    page.keyboard.type("Call Anna")
    page.get_by_label("Due day").last.fill("")
    page.get_by_label("Notes").press("Control+Enter")
    expect(row(page, "Call Anna")).to_contain_text("About the roof.")
    expect(row(page, "Call Anna").get_by_role("checkbox")).to_be_focused()
    assert cloud.get(f"/tasks/{made}")["task"]["due"] is None
    page.keyboard.press("e")
    page.keyboard.type("Nonsense")
    page.keyboard.press("Escape")
    expect(row(page, "Call Anna")).to_be_visible()


def test_a_deleted_task_comes_back_by_undo(open_page: Open, cloud: World) -> None:
    made = task(cloud, "Short-lived", 0)
    page = open_page("#/tasks")
    row(page, "Short-lived").get_by_role("button", name="Edit").click()
    page.get_by_role("button", name="Delete").click()
    expect(row(page, "Short-lived")).to_have_count(0)
    page.keyboard.press("z")
    expect(row(page, "Short-lived")).to_be_visible()
    row(page, "Short-lived").get_by_role("button", name="Edit").click()
    page.get_by_role("button", name="Delete").click()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Close").click()
    assert cloud.http.get(f"/api/v1/tasks/{made}").status_code == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_tasks(open_page: Open, cloud: World, scheme: str, width: int) -> None:
    page = open_page("#/tasks", color_scheme=scheme, viewport={"width": width, "height": 800})
    found = {"empty": violations(page)}
    task(cloud, "Overdue", -3, notes="Some words.")
    task(cloud, "Another", 5)
    page.reload()
    row(page, "Overdue").wait_for()
    found["list"] = violations(page)
    row(page, "Another").get_by_role("button", name="Edit").click()
    found["edit"] = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert {name: lines for name, lines in found.items() if lines} == {}
