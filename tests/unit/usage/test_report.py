"""GET /api/v1/usage: what was used, what is left, and a warning before it is too late."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.contracts.usage import UsageAnswer, UsageKind
from shared.store.workspace import WorkspaceStore
from shared.usage.metering import Metering
from shared.usage.spending import Amount
from tests.support.http import AUTH, api_client, settings
from tests.support.seams import FakeClock
from tests.unit.usage.events import USD, turn_ended
from tests.unit.usage.test_plans import put_workspace


@pytest.fixture
def app(firestore: Client, store: WorkspaceStore, clock: FakeClock) -> App:
    app = App(settings(store.workspace, ALLOW_AGENT_RUNS="on"), clock=clock)
    vars(app).update(firestore=firestore)
    return app


@pytest.fixture
def client(app: App) -> FlaskClient:
    return api_client(app)


def usage(client: FlaskClient, **query: str) -> UsageAnswer:
    answer = client.get("/api/v1/usage", headers=AUTH, query_string=query)
    assert answer.status_code == 200, answer.text
    return UsageAnswer.model_validate(answer.json)


def reserve(app: App, workspace: str, usd: float, work_id: str = "run_1") -> None:
    app.spending.reserve(workspace, UsageKind.RUN, work_id, Amount(tokens=1000, usd=usd), seconds=600)


def test_a_workspace_that_nobody_set_up_has_no_quotas_and_no_runs(client: FlaskClient) -> None:
    found = usage(client)
    assert (found.month, found.plan, found.features) == ("2026-11", "free", {"agent_runs": False, "brain": True})
    assert found.renews_at == datetime(2026, 12, 1, tzinfo=timezone.utc)
    assert found.totals.count == 0 and found.left.model_dump(exclude={"v"}) == dict.fromkeys(("runs", "tokens", "usd"))
    assert found.warnings == () and set(found.by_kind) == set(UsageKind)


def test_what_was_used_and_set_aside_is_taken_off_what_is_left(
    app: App, client: FlaskClient, store: WorkspaceStore, firestore: Client
) -> None:
    put_workspace(firestore, store.workspace, plan="pro", quotas={"runs": 3, "tokens": 10_000, "usd": 4.0})
    Metering(app.store).event(turn_ended(store.workspace))
    reserve(app, store.workspace, 1.0)
    found = usage(client)
    assert found.by_kind[UsageKind.CHAT] == found.totals and found.totals.count == 1
    assert found.left.runs == 2 and found.left.tokens == 10_000 - 1_170 - 1_000
    assert found.left.usd == pytest.approx(3 - USD) and found.states["usd"].reserved == 1.0
    assert found.states["usd"].share == pytest.approx((1 + USD) / 4) and found.warnings == ()


def test_a_warning_comes_at_four_fifths_and_says_when_it_renews(
    app: App, client: FlaskClient, store: WorkspaceStore, firestore: Client
) -> None:
    put_workspace(firestore, store.workspace, plan="pro", quotas={"usd": 10.0})
    reserve(app, store.workspace, 7.99)
    assert usage(client).warnings == ()
    reserve(app, store.workspace, 0.01, "run_2")
    assert usage(client).warnings == ("80% of the month's 10.00 USD are used or set aside, until 2026-12-01 (UTC).",)
    reserve(app, store.workspace, 2.0, "run_3")
    assert usage(client).warnings == (
        "The month's 10.00 USD are used up or set aside: no agent run and no research begins until 2026-12-01 (UTC).",
    )


def test_an_earlier_month_has_its_own_sums_and_nothing_set_aside(
    app: App, client: FlaskClient, store: WorkspaceStore, firestore: Client
) -> None:
    put_workspace(firestore, store.workspace, plan="pro", quotas={"usd": 1.0})
    reserve(app, store.workspace, 1.0)
    Metering(app.store).event(turn_ended(store.workspace, at=datetime(2026, 10, 5, tzinfo=timezone.utc)))
    found = usage(client, month="2026-10")
    assert found.month == "2026-10" and found.totals.count == 1
    assert found.states["usd"].reserved == 0 and found.warnings == ()


@pytest.mark.parametrize("month", ["2026-13", "2026-1", "11-2026", "2026-11-01", "1999-01", "²026-11"])
def test_what_is_no_month_is_refused(client: FlaskClient, month: str) -> None:
    answer: Any = client.get("/api/v1/usage", headers=AUTH, query_string={"month": month})
    assert answer.status_code == 400 and answer.json["error"]["details"]["field"] == "month"
