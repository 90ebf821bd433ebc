"""Which faults a failure needs: those that can be left out, with the failure still there, are left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from infra.sim.run import Outcome
from infra.sim.weather import Plan

Run = Callable[[Plan], Outcome]
RUNS = 120


def shrink(failed: Outcome, run: Run, budget: int = RUNS) -> Outcome:
    """The failing outcome of the smallest plan found in `budget` runs: whole kinds go first, then single faults."""
    best, left = _without_kinds(failed, run, budget)
    size = max(len(_keys(best)) // 2, 1)
    while size and left > 0:
        before, keys = len(_keys(best)), _keys(best)
        for start in range(0, len(keys), size):
            if left <= 0:
                break
            tried = replace(best.plan, left_out=best.plan.left_out | frozenset(keys[start : start + size]))
            left -= 1
            outcome = run(tried)
            if outcome.broken:
                best = outcome
        size = size // 2 if len(_keys(best)) == before or size > 1 else 0
    return best


def _without_kinds(failed: Outcome, run: Run, budget: int) -> tuple[Outcome, int]:
    kinds = {fault.kind for fault in failed.faults} | ({"skew"} if failed.plan.kinds is None else set())
    best, left = failed, budget
    for kind in sorted(kinds):
        if left <= 0:
            break
        kept = frozenset(kinds if best.plan.kinds is None else best.plan.kinds) - {kind}
        left -= 1
        outcome = run(replace(best.plan, kinds=kept))
        if outcome.broken:
            best = outcome
    return best, left


def _keys(outcome: Outcome) -> list[str]:
    return list(dict.fromkeys(fault.key for fault in outcome.faults))
