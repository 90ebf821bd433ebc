"""`python -m infra.cost`: play the scenarios, keep their figures, write docs/cost.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable

from infra.cost import document
from infra.cost.measuring import Result, measure, medians, same, settled
from infra.cost.scenarios import SCENARIOS
from infra.cost.stored import FIGURES, MACHINE, load, load_seconds, write
from infra.cost.world import ROOT

DOCUMENT = ROOT / "docs" / "cost.md"


def main() -> int:
    """0, or 1 where --check finds that something has changed."""
    arguments = _arguments()
    results: dict[str, Result] = {}
    changed = []
    for scenario in [] if arguments.render else SCENARIOS:
        if arguments.only and scenario.name not in arguments.only:
            continue
        begun = time.monotonic()
        results[scenario.name] = result = measure(scenario)
        new = not same(load(FIGURES).get(scenario.name), result.figures)
        changed += [scenario.name] if new else []
        _say(f"{scenario.name}: {'changed' if new else 'as before'}, {time.monotonic() - begun:.0f} s")
        if not arguments.check:
            _keep(scenario.name, result)
    if arguments.check:
        return 1 if changed or _stale() else 0
    if arguments.seconds:
        _keep_seconds(results.values())
    DOCUMENT.write_text(document.with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def _stale() -> bool:
    text = DOCUMENT.read_text(encoding="utf-8")
    stale = document.with_tables(text) != text
    if stale:
        _say("docs/cost.md is stale: make cost ARGS=--render")
    return stale


def _keep(name: str, result: Result) -> None:
    """At once: what was measured before a failure is kept."""
    figures = load(FIGURES)
    figures[name] = settled(figures.get(name), result.figures)
    write(FIGURES, {each.name: figures[each.name] for each in SCENARIOS if each.name in figures})


def _keep_seconds(results: Iterable[Result]) -> None:
    own = {**load(MACHINE).get("own_seconds", {}), **medians(results)}
    today = time.strftime("%Y-%m-%d", time.gmtime())
    write(MACHINE, {"as_of": today, "own_seconds": own, "load_seconds": load_seconds()})


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make cost", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where figures or document differ")
    parser.add_argument(
        "--render", action="store_true", help="play nothing: the document from the figures that are kept"
    )
    parser.add_argument("--seconds", action="store_true", help="take anew how long requests take (on a quiet machine)")
    parser.add_argument("--only", action="append", choices=[each.name for each in SCENARIOS], help="repeatable")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
