"""`python -m infra.sim`: many seeds, or one of them again."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from infra.sim import exhaustive, marks, pairs
from infra.sim.run import Outcome, describe, simulate
from infra.sim.shrink import shrink
from infra.sim.weather import KINDS, Plan

RARE = (
    exhaustive.Case("long run ended", "call:interactions.get", "zombie"),
    exhaustive.Case("functions away", "commit:operation.given_up", "lost answer"),
)
"""A poll that stands still while another takes over, and a workflow that gives up: chance brings them too seldom."""
ENOUGH = 300
"""With fewer seeds than this, a mark that never happened is told and is no failure."""


def main() -> int:
    """0 when every rule held and every mark was seen."""
    options = _options()
    if options.pairs:
        return min(pairs.run_from(options.begin, options.end, options.processes, _say), 1)
    if options.seed is not None:
        left_out = frozenset(filter(None, options.without.split(",")))
        return _one(Plan(options.seed, _kinds(options.faults), left_out, intensity=options.intensity))
    seeds = range(options.first, options.first + options.seeds)
    plans = [Plan(seed, _kinds(options.faults), intensity=options.intensity) for seed in seeds]
    return _many(plans, options.processes)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m infra.sim", description="Simulates Memex under faults.")
    parser.add_argument("--seeds", type=int, default=200, help="how many seeds to run")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--processes", type=int, default=2, help="how many at once")
    parser.add_argument("--seed", type=int, help="run this one seed alone, and tell of it")
    parser.add_argument("--intensity", type=float, default=1.0, help="what the rates of faults are multiplied by")
    parser.add_argument("--faults", default="", help=f"only these kinds, of {','.join(KINDS)}; none: no fault at all")
    parser.add_argument("--without", default="", help="leave out these single faults, such as crash#17,lost#3")
    parser.add_argument("--pairs", action="store_true", help="instead of seeds, every pair of faults at named points")
    parser.add_argument("--from", dest="begin", type=int, default=1, help="the number of the first pair")
    parser.add_argument("--to", dest="end", type=int, help="the number of the last pair")
    return parser.parse_args()


def _kinds(text: str) -> frozenset[str] | None:
    if not text:
        return None
    chosen = frozenset(filter(None, text.split(","))) - {"none"}
    if unknown := chosen - frozenset(KINDS):
        raise SystemExit(f"There are no faults {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}.")
    return chosen


def _one(plan: Plan) -> int:
    outcome = simulate(plan)
    _say(f"digest {outcome.digest}, {outcome.operations} operations, {outcome.seconds:.0f} s of virtual time")
    _say(describe(outcome) if outcome.broken else f"seed {plan.seed}: every rule held")
    return 1 if outcome.broken else 0


def _many(plans: list[Plan], processes: int) -> int:
    counted: Counter[str] = Counter()
    failed = []
    for outcome in chain(map(exhaustive.run, RARE), outcomes(plans, processes)):
        counted += outcome.marks
        if outcome.broken:
            failed.append(outcome)
            _say(f"seed {outcome.plan.seed} fails: {outcome.broken[0]}")
    for outcome in failed[:3]:
        _say(f"\nseed {outcome.plan.seed}, with as few faults as it fails with:")
        _say(describe(shrink(outcome, simulate)))
    missing = [mark for mark in marks.EXPECTED if not counted[mark]]
    _say("\n".join(f"{count:8} {mark}" for mark, count in sorted(counted.items())))
    _say(f"{len(plans)} seeds, {len(failed)} failed; never happened: {', '.join(missing) or 'nothing'}")
    return 1 if failed or (missing and len(plans) >= ENOUGH and plans[0].kinds is None) else 0


def outcomes(plans: list[Plan], processes: int) -> Iterator[Outcome]:
    """Each plan's outcome, in order."""
    if processes <= 1:
        yield from map(simulate, plans)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(simulate, plans, chunksize=4)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
