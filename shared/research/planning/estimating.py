"""What a run may cost and how long it may take: as the workspace's own runs did, else as Google says that most do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.operations import DEEP_RESEARCH, Operation, OperationStatus, Usage
from shared.contracts.prices import AS_OF, RESEARCH_MINUTES, RESEARCH_USD, usd_of
from shared.store.workspace import WorkspaceStore

MEASURED_RUNS = 3
"""So many must have been completed before they say more than the published figures."""
_LOOKED_AT = 30


@dataclass(frozen=True)
class Estimate:
    """From the cheapest to the dearest, from the shortest to the longest; `basis` is a sentence."""

    usd: tuple[float, float]
    minutes: tuple[float, float]
    basis: str

    @property
    def fields(self) -> dict[str, Any]:
        """As a plan has them."""
        return {
            "estimate_low_usd": round(self.usd[0], 4),
            "estimate_high_usd": round(self.usd[1], 4),
            "estimate_low_minutes": round(self.minutes[0], 1),
            "estimate_high_minutes": round(self.minutes[1], 1),
            "estimate_basis": self.basis,
        }


def estimate(store: WorkspaceStore, agent: str) -> Estimate:
    """One query of the workspace's newest research, at most _LOOKED_AT operations."""
    query = {"status": OperationStatus.COMPLETED.value, "kind": DEEP_RESEARCH}
    runs = [run for one in store.operations.list(**query, limit=_LOOKED_AT)[0] if (run := _measured(one)) is not None]
    if len(runs) < MEASURED_RUNS:
        return _published(agent)
    usd, minutes = sorted(run[0] for run in runs), sorted(run[1] for run in runs)
    basis = f"The last {len(runs)} completed runs of this workspace, at list prices of {AS_OF}."
    return Estimate((usd[0], usd[-1]), (minutes[0], minutes[-1]), basis)


def planning_usd(operation: Operation) -> float:
    """What its plans have cost, at list price."""
    return round(usd_of(_sum([one.usage for one in operation.interactions if one.planning])), 4)


def _measured(operation: Operation) -> tuple[float, float] | None:
    """USD and minutes of an operation's run, its plans left out; None where the service told no usage."""
    runs = [one for one in operation.interactions if not one.planning and one.started_at is not None]
    usd = usd_of(_sum([one.usage for one in runs]))
    if not runs or not usd or operation.finished_at is None or runs[0].started_at is None:
        return None
    return usd, (operation.finished_at - runs[0].started_at).total_seconds() / 60


def _published(agent: str) -> Estimate:
    known = [name for name in RESEARCH_USD if agent.startswith(name)]
    usd = RESEARCH_USD[max(known, key=len)] if known else max(RESEARCH_USD.values())
    return Estimate(usd, RESEARCH_MINUTES, f"What most runs cost and take, by Google's account of {AS_OF}.")


def _sum(usages: Sequence[Usage]) -> Usage:
    return sum(usages, Usage())
