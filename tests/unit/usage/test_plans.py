"""What holds for a workspace: its own word before its plan's, its plan's before the settings'."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.workspaces import Plan, Quotas, Workspace
from shared.usage.months import month_after, month_of
from shared.usage.plans import PLANS, Allowance


def put_workspace(client: Client, workspace: str, **fields: Any) -> None:
    """The workspace's document, as an operator writes it."""
    client.document(f"workspaces/{workspace}").set(fields)


def allowance(workspace: Workspace, monthly_usd: float = 0.0) -> Allowance:
    return Allowance("w", workspace, agent_runs=True, monthly_usd=monthly_usd)


def test_quotas_are_the_workspaces_own_then_its_plans_then_the_settings() -> None:
    plan = PLANS[Plan.PRO].quotas
    own = allowance(Workspace(plan=Plan.PRO, quotas=Quotas(runs=0)), monthly_usd=3.0).quotas
    assert own == Quotas(runs=0, tokens=plan.tokens, usd=plan.usd)
    assert allowance(Workspace(), monthly_usd=3.0).quotas == Quotas(usd=3.0)
    assert allowance(Workspace()).quotas == Quotas()
    assert allowance(Workspace(quotas=Quotas(usd=0.0)), monthly_usd=3.0).quotas.usd == 0.0


def test_a_feature_is_on_where_settings_plan_and_workspace_have_it() -> None:
    pro = Workspace(plan=Plan.PRO)
    assert allowance(pro).features == {"agent_runs": True, "brain": True}
    assert allowance(Workspace()).features == {"agent_runs": False, "brain": True}
    switched_off = pro.model_copy(update={"features": {"agent_runs": False, "brain": False}})
    assert allowance(switched_off).features == {"agent_runs": False, "brain": False}
    assert Allowance("w", pro, agent_runs=False, monthly_usd=0.0).features == {"agent_runs": False, "brain": True}


@pytest.mark.parametrize(
    ("moment", "month", "renews"),
    [
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=timezone.utc), "2026-11", datetime(2026, 12, 1)),
        (datetime(2026, 12, 31, 23, 0, tzinfo=timezone(timedelta(hours=-2))), "2027-01", datetime(2027, 2, 1)),
        (datetime(2026, 12, 1, tzinfo=timezone.utc), "2026-12", datetime(2027, 1, 1)),
    ],
)
def test_months_are_those_of_utc(moment: datetime, month: str, renews: datetime) -> None:
    assert month_of(moment) == month
    assert month_after(month) == renews.replace(tzinfo=timezone.utc)
