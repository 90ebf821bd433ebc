"""What a month has cost, by kind of work and against the quotas."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World
from tests.support.waiting import wait_until


def test_a_research_run_is_counted_and_shown_against_the_quotas(
    open_page: Open, cloud: World, report: dict[str, str]
) -> None:
    wait_until(lambda: cloud.get("/usage")["by_kind"]["research"]["count"] == 1, what="the counting")
    page = open_page("#/settings")
    page.locator("main").get_by_role("link", name="Usage").click()
    row = page.get_by_role("row").filter(has_text="Research runs")
    expect(row).to_contain_text("1")
    expect(row).to_contain_text("$")
    limit = cloud.get("/usage")["quotas"]["usd"]
    expect(page.locator(".quotas")).to_contain_text(f"of ${limit:.2f} used")
    assert violations(page) == []
    page.get_by_label("Month").select_option(index=1)
    expect(row).to_have_count(0)


def test_a_quota_that_comes_to_its_end_is_warned_of_where_research_is_begun(open_page: Open, cloud: World) -> None:
    usage = cloud.get("/usage")
    usage["states"]["usd"] |= {"used": 85.0, "share": 0.85}
    usage["warnings"] = ["85% of the month's $100.00 are used or set aside."]

    def answer(route: Route) -> None:
        headers = {"Access-Control-Allow-Origin": cloud.page}
        route.fulfill(body=json.dumps(usage), content_type="application/json", headers=headers)

    page = open_page("#/help")
    page.route("**/api/v1/usage*", answer)
    page.goto(f"{cloud.page}/#/operations")
    expect(page.locator(".notice.warn")).to_contain_text("85%")
    assert violations(page) == []
    page.locator(".notice.warn").get_by_role("link", name="Usage").click()
    expect(page.locator(".meter .near")).to_be_attached()
    assert violations(page) == []
