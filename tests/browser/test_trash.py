"""Deleted notes: listed, had back, and taken away for good only when asked twice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World


def deleted(cloud: World, title: str) -> str:
    note = cloud.note(title, "Body", "idea")
    assert cloud.http.delete(f"/api/v1/notes/{note}").status_code == 204
    return note


def test_a_deleted_note_is_found_in_the_trash_and_had_back(open_page: Open, cloud: World) -> None:
    note = deleted(cloud, "Lost plans")
    page = open_page(f"#/notes/{note}")
    page.get_by_role("link", name="Deleted notes").click()
    row = page.locator(f'[data-row="{note}"]')
    expect(row).to_contain_text("30 days left")
    assert violations(page) == []
    row.get_by_role("button", name="Restore Lost plans").click()
    expect(row).to_have_count(0)
    page.locator(".toast").get_by_role("link", name="Lost plans").click()
    expect(page.locator("main h1")).to_have_text("Lost plans")
    expect(page.locator("main .meta").first).to_contain_text("#idea")


def test_only_purging_asks(open_page: Open, cloud: World) -> None:
    note = deleted(cloud, "Old secret")
    page = open_page("#/trash")
    row = page.locator(f'[data-row="{note}"]')
    row.get_by_role("button", name="Delete Old secret for good").click()
    row.get_by_role("button", name="Keep it").click()
    expect(row.get_by_role("button", name="Restore Old secret")).to_be_focused()
    row.get_by_role("button", name="Delete Old secret for good").click()
    assert violations(page) == []
    row.get_by_role("button", name="Delete it for good").click()
    expect(row).to_have_count(0)
    assert cloud.http.post(f"/api/v1/notes/{note}/restore").status_code == 404
