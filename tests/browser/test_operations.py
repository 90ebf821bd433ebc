"""Runs: progress as it happens, stopping, and one connection however many tabs there are."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.world import QUESTION, World
from tests.support.waiting import wait_until

OPEN_STREAMS = "/api/v1/operations/{id}/events"


def steps(page: Page) -> list[str]:
    return page.locator(".events .what").all_inner_texts()


def test_a_run_is_followed_to_its_end_with_every_event_once(open_page: Open, cloud: World) -> None:
    gate = cloud.hold_research()
    operation = cloud.operation(cloud.note(*QUESTION, "research"))["id"]
    page = open_page(f"#/operations/{operation}")
    expect(page.locator(".progress h2")).to_have_text(re.compile(r"^[1-4] of 5$"))
    expect(page.locator(".progress .age")).to_have_text(re.compile("last event"))
    page.context.set_offline(True)
    page.context.set_offline(False)
    gate.open()
    expect(page.get_by_role("link", name="Open the report")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text(
        re.compile(r"Estimate\$1 to \$7.*Cost\$\d+\.\d\d at list price, below the estimate", re.DOTALL)
    )
    answer = cloud.http.get(f"/api/v1/operations/{operation}/events", headers={"Accept": "application/json"})
    expect(page.locator(".events > li")).to_have_count(len(answer.json()["events"]))
    assert steps(page)[0] == "Asked for" and steps(page)[-1] == "Completed"


def test_a_run_is_stopped_by_the_key(open_page: Open, cloud: World) -> None:
    cloud.hold_research()
    operation = cloud.operation(cloud.note("To be stopped", QUESTION[1], "research"))["id"]
    page = open_page(f"#/operations/{operation}")
    page.keyboard.press(".")
    expect(page.locator("main .state").first).to_contain_text("cancelled")
    expect(page.locator(".events .what").last).to_have_text("Cancelled")
    assert cloud.get(f"/operations/{operation}")["operation"]["status"] == "cancelled"


def test_two_tabs_share_one_connection_and_the_other_takes_over(open_page: Open, cloud: World) -> None:
    gate = cloud.hold_research()
    operation = cloud.operation(cloud.note("Seen twice", QUESTION[1], "research"))["id"]
    first = open_page(f"#/operations/{operation}")
    streams: list[str] = []
    asked = first.context.on("request", lambda request: streams.append(request.url) if _is_stream(request) else None)
    assert asked is None
    first.locator(".events > li").first.wait_for()
    second = open_page(f"#/operations/{operation}")
    second.locator(".events > li").nth(1).wait_for()
    assert len([one for one in streams if operation in one]) <= 2, (
        "the second tab asks the first, which reads from the start"
    )
    first.close()
    gate.open()
    expect(second.get_by_role("link", name="Open the report")).to_be_visible()
    answer = cloud.http.get(f"/api/v1/operations/{operation}/events", headers={"Accept": "application/json"})
    wait_until(lambda: len(steps(second)) == len(answer.json()["events"]), what="every event")


def test_the_list_tells_state_time_and_cost(open_page: Open, report: dict[str, str]) -> None:
    page = open_page("#/operations")
    row = page.locator(f'[data-row="{report["operation"]}"]')
    expect(row).to_contain_text("completed")
    expect(row).to_contain_text(re.compile(r"\d:\d\d"))
    expect(row).to_contain_text(re.compile(r"\$0\.\d\d, below the estimate of \$1 to \$7"))
    page.get_by_label("State").select_option("failed")
    expect(row).to_have_count(0)
    assert page.url.endswith("?status=failed")


def _is_stream(request: object) -> bool:
    headers: dict[str, str] = request.headers  # type: ignore[attr-defined]
    return headers.get("accept") == "text/event-stream"
