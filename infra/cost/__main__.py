"""`python -m infra.cost`: play the scenarios, keep their figures, write docs/cost.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import Any

from infra.cost import document
from infra.cost.measuring import Result, measure, medians, same, settled
from infra.cost.scenarios import SCENARIOS
from infra.cost.stored import FIGURES, MACHINE, load, load_seconds, write
from infra.cost.world import ROOT

DOCUMENT = ROOT / "docs" / "cost.md"


def main() -> int:
    """0, or 1 where --check finds that something has changed."""
    arguments = _arguments()
    wanted = [each for each in SCENARIOS if not arguments.only or each.name in arguments.only]
    before, results = load(FIGURES), {}
    for scenario in [] if arguments.render else wanted:
        begun = time.monotonic()
        results[scenario.name] = measure(scenario)
        _say(f"{scenario.name}: {time.monotonic() - begun:.0f} s")
    changed = [name for name, result in results.items() if not same(before.get(name), result.figures)]
    for name in changed:
        _say(f"{name} has changed")
    if arguments.check:
        return _check(changed)
    _keep(before, results, arguments.seconds)
    DOCUMENT.write_text(document.with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def _check(changed: list[str]) -> int:
    text = DOCUMENT.read_text(encoding="utf-8")
    stale = document.with_tables(text) != text
    if stale:
        _say("docs/cost.md is stale: make cost ARGS=--render")
    return 1 if changed or stale else 0


def _keep(before: Mapping[str, Any], results: Mapping[str, Result], seconds: bool) -> None:
    names = [each.name for each in SCENARIOS]
    found = {name: settled(before.get(name), result.figures) for name, result in results.items()}
    write(FIGURES, {name: {**before, **found}[name] for name in names if name in {**before, **found}})
    if seconds:
        machine = load(MACHINE)
        own = {**machine.get("own_seconds", {}), **medians(results.values())}
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
