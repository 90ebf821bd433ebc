"""Room for work is set aside before it begins: never twice, never more than there is, and never for ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.usage import UsageKind
from shared.contracts.workspaces import Feature
from shared.errors import BudgetExceeded, Forbidden, MemexError, PaymentRequired
from shared.store.errors import Malformed
from shared.store.workspace import WorkspaceStore
from shared.usage.metering import Metering
from shared.usage.quotas import states
from shared.usage.spending import Amount, Spending
from tests.support.seams import FakeClock
from tests.support.stores import Flaky
from tests.unit.usage.events import AT, USD, operation, operation_ended, turn_ended
from tests.unit.usage.test_plans import put_workspace

RUN = UsageKind.RUN
MOST = Amount(tokens=1000, usd=1.0)


class Gate:
    """The gate of one workspace, on a real Firestore and with its clock far from its expiries."""

    def __init__(self, store: WorkspaceStore, client: Client, **settings: Any) -> None:
        self.store, self.client = store, client
        chosen: dict[str, Any] = {"allow_agent_runs": True, "monthly_usd": 0.0} | settings
        self.spending = Spending(lambda _workspace: store, FakeClock(), **chosen)

    def reserve(self, work_id: str, most: Amount = MOST, *, kind: UsageKind = RUN, seconds: float = 600.0) -> None:
        self.spending.reserve(self.store.workspace, kind, work_id, most, seconds=seconds)

    def settle(self, work_id: str, used: Amount) -> None:
        self.spending.settle(self.store.workspace, work_id, used)

    def release(self, work_id: str) -> None:
        self.spending.release(self.store.workspace, work_id)

    def reserved(self, quota: str = "usd") -> float:
        quotas = self.spending.allowance(self.store.workspace).quotas
        return states(quotas, self.store.usage.book("2026-11"))[quota].reserved

    def with_workspace(self, **fields: Any) -> Gate:
        put_workspace(self.client, self.store.workspace, **fields)
        return self


@pytest.fixture
def gate(store: WorkspaceStore, firestore: Client) -> Gate:
    return Gate(store, firestore).with_workspace(plan="pro", quotas={"runs": 2, "tokens": 5000, "usd": 2.5})


def test_a_reservation_is_made_once_whatever_comes_how_often(gate: Gate) -> None:
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(gate.reserve, ["run_1"] * 3))
    gate.reserve("run_1")
    assert gate.reserved("runs") == 1 and gate.reserved() == 1.0


def test_of_two_who_want_the_last_run_one_is_refused(gate: Gate) -> None:
    gate.reserve("run_1")

    def attempt(work_id: str) -> str:
        try:
            gate.reserve(work_id)
        except BudgetExceeded:
            return "refused"
        return "let in"

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(attempt, ["run_2", "run_3", "run_4", "run_5"]))
    assert sorted(outcomes) == ["let in", "refused", "refused", "refused"]
    assert gate.reserved("runs") == 2


@pytest.mark.parametrize(
    ("quotas", "says"),
    [
        ({"runs": 0}, "quota of 0 runs has no room for this: it may take up to 1 run, and 0 runs are left."),
        ({"tokens": 999}, "it may take up to 1,000 tokens, and 999 tokens are left."),
        ({"usd": 0.5}, "it may take up to 1.00 USD, and 0.50 USD are left."),
    ],
)
def test_a_refusal_says_what_is_left_and_when_it_renews(
    store: WorkspaceStore, firestore: Client, quotas: dict[str, float], says: str
) -> None:
    gate = Gate(store, firestore).with_workspace(plan="pro", quotas=quotas)
    with pytest.raises(BudgetExceeded) as refused:
        gate.reserve("run_1")
    assert says in refused.value.message and "It renews on 2026-12-01 (UTC)" in refused.value.message
    assert refused.value.status == 429 and refused.value.details["renews_at"] == "2026-12-01T00:00:00+00:00"
    assert gate.reserved() == 0.0


def test_what_was_used_by_anything_leaves_less_room_for_runs(gate: Gate) -> None:
    metering = Metering(lambda _workspace: gate.store)
    for number in range(30):
        metering.event(turn_ended(gate.store.workspace, f"t{number}", at=AT + timedelta(seconds=number)))
    with pytest.raises(BudgetExceeded, match="tokens"):
        gate.reserve("run_1")


def test_a_settled_run_holds_what_it_used_and_no_more(gate: Gate) -> None:
    gate.reserve("run_1")
    gate.settle("run_1", Amount(tokens=200, usd=0.25))
    gate.settle("run_1", Amount(tokens=9, usd=0.09))
    gate.settle("run_unknown", MOST)
    assert gate.reserved() == 0.25 and gate.reserved("tokens") == 200 and gate.reserved("runs") == 1


def test_what_never_began_holds_nothing_after_it_was_released(gate: Gate) -> None:
    gate.reserve("run_1")
    gate.release("run_1")
    gate.release("run_1")
    assert gate.reserved("runs") == 0
    gate.reserve("run_1")
    assert gate.reserved("runs") == 1


def test_a_hold_whose_work_died_runs_out(gate: Gate) -> None:
    gate.reserve("run_1", seconds=-1)
    gate.reserve("run_2", seconds=-1)
    assert gate.reserved("runs") == 0
    gate.reserve("run_3")
    gate.reserve("run_4")
    with pytest.raises(BudgetExceeded):
        gate.reserve("run_5")
    stored = gate.client.document(f"workspaces/{gate.store.workspace}/leases/spending").get().to_dict() or {}
    assert sorted(stored["holds"]) == ["run_3", "run_4"]


@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted"], ["dropped", "lost"]])
def test_whatever_becomes_of_a_commit_there_is_one_hold(gate: Gate, flaky: Flaky, plan: list[str]) -> None:
    shaky = Gate(flaky(gate.store, plan), gate.client)
    shaky.reserve("run_1")
    assert gate.reserved("runs") == 1 and gate.reserved() == 1.0


def test_counting_gives_up_the_hold_in_the_same_commit(gate: Gate, flaky: Flaky) -> None:
    operation(gate.store, "op_1")
    gate.reserve("op_1", Amount(usd=2.0), kind=UsageKind.RESEARCH)
    gate.reserve("op_2", Amount(usd=0.25), kind=UsageKind.RESEARCH)
    event = operation_ended(gate.store.workspace, "op_1")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Metering(lambda _workspace: gate.store).event, [event] * 3))
    Metering(lambda _workspace: flaky(gate.store, ["lost"])).event(event)
    assert gate.reserved() == 0.25
    assert gate.store.usage.book("2026-11").totals.usd == USD


def test_holds_made_while_others_are_given_up_are_all_kept(gate: Gate) -> None:
    """Both sides write one document: neither may take back what the other did."""
    for number in range(4):
        operation(gate.store, f"op_{number}")
        gate.reserve(f"op_{number}", Amount(usd=0.01), kind=UsageKind.RESEARCH)
    metering = Metering(lambda _workspace: gate.store)

    def count(number: int) -> None:
        metering.event(operation_ended(gate.store.workspace, f"op_{number}"))

    def hold(number: int) -> None:
        gate.reserve(f"new_{number}", Amount(usd=0.02), kind=UsageKind.RESEARCH)

    with ThreadPoolExecutor(4) as pool:
        work = [*(pool.submit(count, n) for n in range(4)), *(pool.submit(hold, n) for n in range(4))]
        for one in work:
            one.result()
    assert gate.reserved() == pytest.approx(0.08)


def test_holds_that_something_else_wrote_keep_nothing_from_its_count(gate: Gate) -> None:
    gate.client.document(f"workspaces/{gate.store.workspace}/leases/spending").set({"holds": {"op_1": "many"}})
    operation(gate.store, "op_1")
    Metering(lambda _workspace: gate.store).event(operation_ended(gate.store.workspace, "op_1"))
    assert gate.store.usage.book("2026-11").totals.count == 1
    gate.reserve("run_1")
    assert gate.reserved("runs") == 1


def test_research_is_free_to_begin_where_there_is_no_cap(store: WorkspaceStore, firestore: Client) -> None:
    gate = Gate(store, firestore, allow_agent_runs=False)
    gate.reserve("op_1", Amount(usd=1e9), kind=UsageKind.RESEARCH)
    assert gate.reserved() == 0.0  # nothing was stored for it


def test_the_cap_of_the_settings_holds_where_nothing_else_is_said(store: WorkspaceStore, firestore: Client) -> None:
    gate = Gate(store, firestore, monthly_usd=10.0)
    gate.reserve("op_1", Amount(usd=7.0), kind=UsageKind.RESEARCH)
    with pytest.raises(BudgetExceeded, match="7.00 USD, and 3.00 USD are left"):
        gate.reserve("op_2", Amount(usd=7.0), kind=UsageKind.RESEARCH)


def test_a_quota_can_be_used_to_the_last_cent(store: WorkspaceStore, firestore: Client) -> None:
    gate = Gate(store, firestore, monthly_usd=0.3)
    for number in range(3):
        gate.reserve(f"op_{number}", Amount(usd=0.1), kind=UsageKind.RESEARCH)
    with pytest.raises(BudgetExceeded):
        gate.reserve("op_3", Amount(usd=0.01), kind=UsageKind.RESEARCH)


def test_a_new_month_begins_with_what_is_under_way(gate: Gate) -> None:
    gate.reserve("run_1")
    gate.reserve("run_2")
    december = FakeClock(datetime(2026, 12, 1, tzinfo=timezone.utc))
    later = Spending(lambda _workspace: gate.store, december, allow_agent_runs=True, monthly_usd=0.0)
    with pytest.raises(BudgetExceeded) as refused:
        later.reserve(gate.store.workspace, RUN, "run_3", MOST, seconds=600)
    assert refused.value.details["renews_at"] == "2027-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("document", "allowed", "error", "says"),
    [
        ({"plan": "pro"}, False, Forbidden, "set ALLOW_AGENT_RUNS=on"),
        ({}, False, Forbidden, "set ALLOW_AGENT_RUNS=on"),
        ({}, True, PaymentRequired, "not part of the plan free: set plan to pro in the document workspaces/"),
        ({"plan": "pro", "features": {"agent_runs": False}}, True, Forbidden, "set features.agent_runs to true"),
        ({"plan": "gold"}, True, Malformed, "malformed in plan"),
    ],
)
def test_a_run_that_is_not_allowed_is_refused_with_what_to_do(
    store: WorkspaceStore,
    firestore: Client,
    document: dict[str, Any],
    allowed: bool,
    error: type[MemexError],
    says: str,
) -> None:
    gate = Gate(store, firestore, allow_agent_runs=allowed)
    if document:
        gate.with_workspace(**document)
    with pytest.raises(error, match=says):
        gate.reserve("run_1")
    with pytest.raises(error, match=says):
        gate.spending.require(store.workspace, Feature.AGENT_RUNS)
