"""Approvals: what would change is seen before it is approved, once, or rejected; what came too late says so."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from infra.local.aiplatform.model_script import call, say
from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World


def propose(cloud: World, title: str, tool: str, /, **arguments: Any) -> str:
    """A proposal of a routine, which is called `title` after what it would do; returns its id."""
    cloud.note("Log of the week", "Something to tell of.")
    cloud.script(call("queue_approval", tool=tool, arguments=arguments, reason="Because of the log."))
    cloud.script(say("A quiet week."))
    answer = cloud.http.post("/api/v1/routines/review/run")
    assert answer.status_code == 200, answer.text
    (made,) = (one["id"] for one in cloud.get("/approvals?status=pending")["approvals"] if one["title"] == title)
    return str(made)


def card(page: Page, title: str) -> Locator:
    return page.locator("[data-approval]").filter(has=page.get_by_role("heading", name=title))


def body_of(shown: Locator) -> Locator:
    return shown.locator(".change").filter(has_text="body")


def test_a_change_is_shown_side_by_side_and_approved_exactly_once(open_page: Open, cloud: World) -> None:
    note = cloud.note("Loaf", "Water 640 g, salt 18 g.", "loaf")
    body = "Water 650 g, salt 18 g."
    propose(
        cloud, "Change the note “Loaf”", "update_note", note_id=note, changes={"body": body, "tags": ["loaf", "rye"]}
    )
    page = open_page("#/approvals")
    shown = card(page, "Change the note “Loaf”")
    expect(body_of(shown).locator("del")).to_have_text("640")
    expect(body_of(shown).locator("ins")).to_have_text("650")
    expect(shown).to_contain_text("Because of the log.")
    expect(page.locator("#nav .badge")).to_have_text("1 waiting")
    shown.get_by_role("button", name="Approve").click()
    expect(page.locator(".toast")).to_contain_text("Approved, and done.")
    expect(shown).to_have_count(0)
    expect(page.locator("main h1")).to_be_focused()
    decided = page.locator("main li").filter(has_text="Change the note “Loaf”")
    expect(decided).to_contain_text("Approved")
    assert decided.get_by_role("button").count() == 0
    expect(page.locator("#nav .badge")).to_have_count(0)
    found = cloud.get(f"/notes/{note}")["note"]
    assert (found["body"], found["tags"]) == (body, ["loaf", "rye"])


def test_a_rejected_change_changes_nothing(open_page: Open, cloud: World) -> None:
    propose(cloud, "Add the task “Never to be”", "create_tasks", tasks=[{"title": "Never to be", "due": "2026-12-24"}])
    page = open_page("#/approvals")
    expect(card(page, "Add the task “Never to be”")).to_contain_text("Never to be")
    card(page, "Add the task “Never to be”").get_by_role("button", name="Reject").click()
    expect(page.locator("main li").filter(has_text="Add the task “Never to be”")).to_contain_text("Rejected")
    assert "Never to be" not in str(cloud.get("/tasks")["tasks"])


def test_a_change_of_what_has_changed_since_is_refused_and_says_so(open_page: Open, cloud: World) -> None:
    note = cloud.note("Roof", "Modules from 2012.")
    propose(cloud, "Change the note “Roof”", "update_note", note_id=note, changes={"body": "Modules from 2013."})
    page = open_page("#/approvals")
    expect(card(page, "Change the note “Roof”")).to_be_visible()
    cloud.http.patch(f"/api/v1/notes/{note}", json={"body": "Modules from 2014."}).raise_for_status()
    card(page, "Change the note “Roof”").get_by_role("button", name="Approve").click()
    expect(page.locator(".toast")).to_contain_text("changed since it was proposed")
    expect(page.locator("main li").filter(has_text="Change the note “Roof”")).to_contain_text("Out of date")
    assert cloud.get(f"/notes/{note}")["note"]["body"] == "Modules from 2014."


def test_one_that_was_decided_elsewhere_loses_its_buttons(open_page: Open, cloud: World) -> None:
    made = propose(cloud, "Add the task “Only once”", "create_tasks", tasks=[{"title": "Only once"}])
    page = open_page("#/approvals")
    expect(card(page, "Add the task “Only once”")).to_be_visible()
    cloud.http.post(f"/api/v1/approvals/{made}/approve").raise_for_status()
    card(page, "Add the task “Only once”").get_by_role("button", name="Approve").click()
    expect(page.locator(".toast")).to_contain_text("approved before")
    expect(card(page, "Add the task “Only once”")).to_have_count(0)
    assert str(cloud.get("/tasks")["tasks"]).count("Only once") == 1


def test_a_decision_that_does_not_arrive_stays_to_be_made(open_page: Open, cloud: World) -> None:
    propose(cloud, "Add the task “Later”", "create_tasks", tasks=[{"title": "Later"}])
    page = open_page("#/approvals")
    page.route("**/reject", lambda route: route.abort())
    card(page, "Add the task “Later”").get_by_role("button", name="Reject").click()
    expect(card(page, "Add the task “Later”").get_by_role("alert")).to_contain_text("Not decided")
    page.unroute("**/reject")
    card(page, "Add the task “Later”").get_by_role("button", name="Reject").click()
    expect(card(page, "Add the task “Later”")).to_have_count(0)


def test_a_digest_is_made_on_the_spot(open_page: Open) -> None:
    page = open_page("#/approvals")
    page.get_by_role("button", name="Digest of today", exact=True).click()
    page.locator(".toast").get_by_role("link", name="Read it").click()
    expect(page.locator("main h1")).to_contain_text("Digest of")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_approvals(open_page: Open, cloud: World, scheme: str, width: int) -> None:
    note = cloud.note(f"Long, {scheme} {width}", "One line.\n" * 60)
    title = f"Change the note “Long, {scheme} {width}”"
    made = propose(cloud, title, "update_note", note_id=note, changes={"body": "Another line.\n" * 60})
    page = open_page("#/approvals", color_scheme=scheme, viewport={"width": width, "height": 800})
    card(page, title).locator("summary").click()
    found = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cloud.http.post(f"/api/v1/approvals/{made}/reject").raise_for_status()
    assert found == []


def test_what_was_edited_is_shown_anew_and_exactly_that_is_approved(open_page: Open, cloud: World) -> None:
    note = cloud.note("Starter", "Feed it twice a day.", "bread")
    changes = {"body": "Feed it once a day.", "tags": ["bread", "rye"]}
    propose(cloud, "Change the note “Starter”", "update_note", note_id=note, changes=changes)
    page = open_page("#/approvals")
    shown = card(page, "Change the note “Starter”")
    shown.get_by_role("button", name="Edit").click()
    expect(shown.get_by_role("button", name="Approve")).to_have_count(0)
    expect(shown.get_by_label("Body")).to_be_focused()
    shown.get_by_label("Body").fill("Feed it every evening.")
    shown.get_by_label("Tags, separated by commas").fill("bread")
    assert violations(page) == []
    page.keyboard.press("Control+Enter")
    expect(body_of(shown).locator("ins")).to_have_text(["every", "evening"])
    expect(shown).to_contain_text("edited by you")
    expect(shown.locator(".change")).to_have_count(1)
    shown.get_by_role("button", name="Approve").click()
    expect(page.locator(".toast")).to_contain_text("Approved, and done.")
    found = cloud.get(f"/notes/{note}")["note"]
    assert (found["body"], found["tags"]) == ("Feed it every evening.", ["bread"])


def test_what_another_tab_edited_is_not_approved_unseen(open_page: Open, cloud: World) -> None:
    approval = propose(cloud, "Write the note “Dough”", "create_note", title="Dough", body="One.")
    page = open_page("#/approvals")
    shown = card(page, "Write the note “Dough”")
    expect(shown).to_contain_text("One.")
    page.route("**/api/v1/approvals?*", lambda route: route.abort())
    wanted = {"arguments": {"title": "Dough", "body": "Two."}, "edits": 0}
    assert cloud.http.patch(f"/api/v1/approvals/{approval}", json=wanted).status_code == 200
    shown.get_by_role("button", name="Approve").click()
    expect(page.locator(".toast")).to_contain_text("edited since it was shown")
    page.unroute("**/api/v1/approvals?*")
    expect(shown).to_contain_text("Two.")
    assert cloud.get(f"/approvals/{approval}")["approval"]["status"] == "pending"


def test_an_argument_that_cannot_be_used_is_said_beside_the_form(open_page: Open, cloud: World) -> None:
    propose(
        cloud,
        "Add the task “One” and 1 more",
        "create_tasks",
        tasks=[{"title": "One"}, {"title": "Two", "due": "2026-12-01"}],
    )
    page = open_page("#/approvals")
    shown = card(page, "Add the task “One” and 1 more")
    shown.get_by_role("button", name="Edit").click()
    shown.get_by_label("Title").first.fill("")
    shown.get_by_role("button", name="Show what it would do").click()
    expect(shown.get_by_role("alert")).to_contain_text("Not changed")
    shown.get_by_role("button", name="Leave this one out").first.click()
    shown.get_by_role("button", name="Show what it would do").click()
    expect(card(page, "Add the task “Two”")).to_contain_text("edited by you")
