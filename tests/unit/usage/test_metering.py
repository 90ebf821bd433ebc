"""Work that has ended is counted once, in the month in which it ended, whatever is delivered how often."""

from __future__ import annotations

import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

import pytest
from google.cloud.firestore_v1 import Client

from shared import faultpoint
from shared.contracts.events import EventType
from shared.contracts.usage import UsageKind, UsageTotals
from shared.errors import InputError, MemexError, NotFound, Transient
from shared.store.workspace import WorkspaceStore
from shared.trace.received import TraceEvent
from shared.usage.metering import Metering
from shared.usage.spending import Amount, Spending
from tests.support.seams import FakeClock
from tests.support.stores import Flaky
from tests.unit.usage.events import AT, USAGE, USD, of, operation, operation_ended, turn_ended
from tests.unit.usage.test_plans import put_workspace

MONTH = "2026-11"


def meter(store: WorkspaceStore) -> Metering:
    return Metering(lambda _workspace: store)


def counted(store: WorkspaceStore, kind: UsageKind = UsageKind.CHAT, month: str = MONTH) -> UsageTotals:
    return store.usage.book(month).by_kind[kind]


def test_a_turn_is_counted_with_its_tokens_searches_and_price(store: WorkspaceStore) -> None:
    meter(store).event(turn_ended(store.workspace))
    assert counted(store) == UsageTotals(count=1, input_tokens=1050, output_tokens=120, searches=3, usd=USD)
    assert store.usage.book(MONTH).totals == counted(store)


def test_the_same_event_three_times_at_once_and_again_later_counts_once(store: WorkspaceStore) -> None:
    event = turn_ended(store.workspace)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(meter(store).event, [event] * 3))
    meter(store).event(event)
    assert counted(store).count == 1 and counted(store).usd == USD


def test_many_turns_in_any_order_with_repetitions_add_up(store: WorkspaceStore) -> None:
    events = [turn_ended(store.workspace, f"t{n}", seq=n, at=AT + timedelta(seconds=n)) for n in range(1, 31)]
    delivered = events * 2
    random.Random(5).shuffle(delivered)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(meter(store).event, delivered))
    assert counted(store).count == 30
    assert counted(store).usd == pytest.approx(30 * USD, abs=1e-9)


@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted"], ["dropped", "lost"], ["dropped", "aborted"]])
def test_whatever_becomes_of_a_commit_it_is_counted_once(
    store: WorkspaceStore, flaky: Flaky, plan: Iterable[str]
) -> None:
    meter(flaky(store, plan)).event(turn_ended(store.workspace))
    assert counted(store).count == 1


@pytest.mark.parametrize("point", ["before_commit:usage.count", "after_commit:usage.count"])
def test_a_meter_that_dies_beside_its_commit_counts_once_when_it_comes_again(store: WorkspaceStore, point: str) -> None:
    class Died(BaseException):
        """As by SIGKILL: nothing handles it."""

    def die(name: str) -> None:
        if name == point:
            raise Died

    event = turn_ended(store.workspace)
    faultpoint.install(die)
    try:
        with pytest.raises(Died):
            meter(store).event(event)
    finally:
        faultpoint.install(None)
    meter(store).event(event)
    assert counted(store).count == 1


def test_what_does_not_get_through_is_to_be_delivered_again(store: WorkspaceStore, flaky: Flaky) -> None:
    event = turn_ended(store.workspace)
    with pytest.raises(Transient):
        meter(flaky(store, ["dropped"] * 50)).event(event)
    meter(store).event(event)
    assert counted(store).count == 1


def test_a_late_event_goes_to_the_month_in_which_the_work_ended(store: WorkspaceStore) -> None:
    last = datetime(2026, 10, 31, 23, 59, 59, 999_000, tzinfo=timezone.utc)
    meter(store).event(turn_ended(store.workspace, "old", at=last))
    meter(store).event(turn_ended(store.workspace, "new", at=last + timedelta(milliseconds=1)))
    assert counted(store, month="2026-10").count == 1 and counted(store, month="2026-11").count == 1


def test_a_session_begun_anew_under_its_id_is_counted_too(store: WorkspaceStore) -> None:
    meter(store).event(turn_ended(store.workspace, "t1"))
    meter(store).event(turn_ended(store.workspace, "t1", at=AT + timedelta(hours=1)))
    assert counted(store).count == 2


def test_a_run_is_counted_by_its_last_frame_and_holds_nothing_after_it(
    store: WorkspaceStore, firestore: Client
) -> None:
    put_workspace(firestore, store.workspace, plan="pro")
    spending = Spending(lambda _workspace: store, FakeClock(), allow_agent_runs=True, monthly_usd=0.0)
    spending.reserve(store.workspace, UsageKind.RUN, "run_1", Amount(tokens=9000, usd=3.0), seconds=600)
    data = {"run_id": "run_1", "status": "failed", "usage": USAGE.model_dump(), "cost_usd": 99.0}
    ended = of(store.workspace, "agent_runs/run_1", EventType.RUN_COMPLETED, data)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(meter(store).event, [ended] * 3))
    spending.settle(store.workspace, "run_1", Amount(tokens=1170, usd=USD))
    assert counted(store, UsageKind.RUN).count == 1 and counted(store, UsageKind.RUN).usd == USD
    assert store.usage.book(MONTH).holds == {}


@pytest.mark.parametrize("kind", [EventType.COMPLETED, EventType.FAILED, EventType.CANCELLED])
def test_research_is_counted_however_it_ended(store: WorkspaceStore, kind: str) -> None:
    operation(store, "op_1")
    meter(store).event(operation_ended(store.workspace, "op_1", kind))
    assert counted(store, UsageKind.RESEARCH) == UsageTotals(
        count=1, input_tokens=1050, output_tokens=120, searches=3, usd=USD
    )


def test_an_operation_of_another_kind_is_no_research(store: WorkspaceStore) -> None:
    operation(store, "op_1", kind="extraction")
    meter(store).event(operation_ended(store.workspace, "op_1"))
    assert store.usage.book(MONTH).totals.count == 0


def test_events_that_end_nothing_cost_nothing(store: WorkspaceStore) -> None:
    for kind in (EventType.MODEL_TEXT, EventType.COMPLETED, "run_went_on"):
        meter(store).event(of(store.workspace, "chat_sessions/s1", kind, {"usage": USAGE.model_dump()}))
    assert store.usage.book(MONTH).totals.count == 0


def test_what_a_hand_wrote_into_an_event_is_bounded_or_refused(store: WorkspaceStore) -> None:
    meter(store).event(turn_ended(store.workspace, usage={"input_tokens": -5, "output_tokens": 10**30}))
    assert counted(store) == UsageTotals(count=1, input_tokens=0, output_tokens=10**12, usd=12_000_000.0)
    refused: list[tuple[type[MemexError], TraceEvent]] = [
        (InputError, turn_ended(store.workspace, usage={"input_tokens": "many"})),
        (NotFound, operation_ended(store.workspace, "none")),
    ]
    for error, event in refused:
        with pytest.raises(error):
            meter(store).event(event)
