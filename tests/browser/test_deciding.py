"""What costs money waits for a person's word: plans of research, and spending that was paused."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from shared.contracts.members import Role
from tests.browser.chatting import answered, ask
from tests.browser.conftest import Open
from tests.browser.deciding import OPERATION, PLAN, Deciding
from tests.browser.test_accessibility import violations
from tests.browser.world import World
from tests.support.waiting import wait_until

APPROVE = "Approve and begin"


def deciding(page: Page, cloud: World, address: str, **given: Any) -> Deciding:
    """The page at that address, with a plan that waits."""
    made = Deciding(page, cloud.page, **given)
    page.goto("about:blank")
    page.goto(f"{cloud.page}/{address}")
    page.locator("main:not([aria-busy]) h1").wait_for(state="attached")
    return made


def test_a_plan_is_approved_exactly_as_it_is_shown(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, "#/approvals")
    expect(page.locator('#nav [data-name="approvals"]')).to_contain_text("1")
    card = page.locator("[data-plan]")
    expect(card.get_by_role("region", name="Plan")).to_have_text(PLAN)
    expect(card).to_contain_text("$1.20 to $3.40 and 5 to 20 minutes")
    card.get_by_role("button", name=APPROVE).click()
    expect(page.locator(".toast")).to_contain_text("It begins.")
    expect(page.locator("[data-plan]")).to_have_count(0)
    assert made.asked == [("POST", f"operations/{OPERATION}/approve", {"revision": 1})]


def test_a_plan_is_edited_and_what_is_typed_survives_the_page(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, f"#/operations/{OPERATION}")
    expect(page.locator("main .state.awaiting_approval")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    field = page.get_by_role("textbox", name="Plan")
    expect(field).to_be_focused()
    field.fill("Only the data sheets.")
    page.reload()
    expect(field).to_have_value("Only the data sheets.")
    field.press("Control+Enter")
    expect(page.get_by_role("region", name="Plan")).to_have_text("Only the data sheets.")
    expect(page.locator("[data-plan]")).to_contain_text("edited by you")
    assert made.asked == [("PATCH", f"operations/{OPERATION}/plan", {"text": "Only the data sheets.", "revision": 1})]


def test_a_draft_of_an_older_plan_is_shown_next_to_the_newest(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, f"#/operations/{OPERATION}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Plan").fill("Only the data sheets.")
    made.text, made.revision = "Something else.", 2
    page.reload()
    expect(page.locator(".difference")).to_contain_text("Something else.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("region", name="Plan")).to_have_text("Something else.")


def test_a_plan_is_dropped(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, f"#/operations/{OPERATION}")
    page.get_by_role("button", name="Drop").click()
    expect(page.locator("main .state.cancelled")).to_be_visible()
    assert made.asked == [("POST", f"operations/{OPERATION}/cancel", None)]


def test_a_plan_that_changed_meanwhile_is_shown_anew(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, f"#/operations/{OPERATION}")
    made.text, made.revision = "Changed elsewhere.", 2
    made.refusal = (409, "conflict", "The plan has changed: look at it again.")
    page.get_by_role("button", name=APPROVE).click()
    expect(page.get_by_role("region", name="Plan")).to_have_text("Changed elsewhere.")
    expect(page.get_by_role("button", name=APPROVE)).to_be_enabled()


def test_a_plan_of_the_emulated_service_is_edited_approved_and_looked_into(open_page: Open, cloud: World) -> None:
    note = cloud.note("Rye in the cold", "How long does a dough with rye rest?", "research:plan")
    wait_until(lambda: cloud.operation(note)["status"] == "awaiting_approval", what="the plan")
    page = open_page(f"#/notes/{note}")
    page.get_by_role("link", name="Read the plan, and approve it").click()
    page.locator("[data-plan]").get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Plan").fill("Measure at 4, 10 and 16 °C.")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_role("region", name="Plan")).to_have_text("Measure at 4, 10 and 16 °C.")
    page.get_by_role("button", name=APPROVE).click()
    expect(page.locator("main .state.completed")).to_be_visible()
    page.get_by_text("The plan, as").click()
    expect(page.locator("details > .text")).to_have_text("Measure at 4, 10 and 16 °C.")
    assert cloud.operation(note)["plan"]["text"] == "Measure at 4, 10 and 16 °C."


def test_nobody_chats_while_spending_is_paused_and_all_is_as_before_once_it_goes_on(
    open_page: Open, cloud: World
) -> None:
    page = open_page("#/usage")
    page.get_by_role("button", name="Pause all spending").click()
    expect(page.locator("#paused")).to_contain_text("Spending is paused.")
    assert cloud.get("/spending")["workspace"]["paused"]
    page.evaluate("location.hash = '#/chat?new'")
    turn = ask(page, "Does anyone answer?")
    expect(turn).to_contain_text("until an owner resumes")
    page.locator("#paused").get_by_role("button", name="Resume spending").click()
    expect(page.locator("#paused")).to_be_empty()
    wait_until(lambda: not cloud.get("/spending")["paused"], what="spending")
    turn.get_by_role("button", name="Retry").click()
    answered(page.locator(".turn").filter(has_text="Does anyone answer?").last)


def test_paused_spending_is_said_on_every_view_and_an_owner_resumes_it(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, "#/notes", paused="workspace")
    banner = page.locator("#paused")
    expect(banner).to_contain_text("this workspace by token-1a2b3c4d")
    expect(banner).to_contain_text("The month is dear")
    page.get_by_role("button", name="Resume spending").click()
    expect(banner).to_be_empty()
    page.evaluate("location.hash = '#/usage'")
    page.get_by_role("button", name="Pause all spending").click()
    expect(banner).to_contain_text("Spending is paused.")
    assert [body for _, _, body in made.asked] == [{"paused": False}, {"paused": True}]


def test_spending_of_the_whole_project_is_its_operators(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    deciding(page, cloud, "#/notes", paused="project")
    expect(page.locator("#paused")).to_contain_text("all of this Memex")
    expect(page.get_by_role("button", name="Resume spending")).to_have_count(0)


def test_what_a_role_may_not_do_is_not_offered(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    deciding(page, cloud, "#/approvals", paused="workspace", role=Role.READER)
    expect(page.get_by_role("region", name="Plan")).to_be_visible()
    for name in (APPROVE, "Drop", "Edit", "Resume spending", "Digest of today"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.goto(f"{cloud.page}/#/notes/{cloud.loaf()}")
    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    for name in ("Edit", "Delete", "Research this"):
        expect(page.locator("main").get_by_role("button", name=name)).to_have_count(0)
    page.keyboard.press("e")
    page.keyboard.press("#")
    expect(page.locator("main h1")).to_have_text("The base loaf")
    page.goto(f"{cloud.page}/#/notes")
    expect(page.get_by_label("Text of the note")).to_have_count(1)
    expect(page.get_by_label("Text of the note")).to_be_hidden()
    page.goto(f"{cloud.page}/#/settings")
    expect(page.locator("main")).to_contain_text("an owner can make you a member")


def test_a_member_may_begin_what_costs_money_and_not_switch_spending(open_page: Open, cloud: World) -> None:
    page = open_page("#/help")
    deciding(page, cloud, "#/approvals", paused="workspace", role=Role.MEMBER)
    expect(page.get_by_role("button", name=APPROVE)).to_be_visible()
    expect(page.get_by_role("button", name="Resume spending")).to_have_count(0)


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        ((403, "forbidden", "This takes the role owner; yours is member."), "This takes the role owner"),
        ((429, "rate_limited", "Too many requests: try again in 7 s."), "try again in 7 s"),
        ((409, "spending_paused", "Spending is paused."), "until an owner resumes"),
    ],
)
def test_a_refusal_says_what_to_do(open_page: Open, cloud: World, refusal: tuple[int, str, str], words: str) -> None:
    page = open_page("#/help")
    made = deciding(page, cloud, f"#/operations/{OPERATION}")
    made.refusal = refusal
    page.get_by_role("button", name=APPROVE).click()
    expect(page.locator("[data-plan] [role=alert], .toast").filter(has_text=words).first).to_be_visible()
    expect(page.locator("main h1")).to_have_text("Battery in winter")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_where_one_decides(open_page: Open, cloud: World, scheme: str, width: int) -> None:
    page = open_page("#/help", color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    found = {}
    for address in ("#/approvals", f"#/operations/{OPERATION}", "#/usage", "#/settings", "#/chat"):
        deciding(page, cloud, address, paused="workspace")
        page.locator("#paused button").wait_for()
        found[address] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    assert {address: lines for address, lines in found.items() if lines} == {}
