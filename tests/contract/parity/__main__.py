"""`make parity`: both suites and the random comparison against Google's emulators; prints every difference.

Exit status: 0 when there is no difference that is not listed in tests/contract/differences.py, and when the emulators
are not installed (it then says what it could not compare); 1 when there is one; 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.contract.differences import BY_ID
from tests.contract.parity import emulators, report
from tests.contract.parity.comparison import compare_firestore, compare_pubsub
from tests.contract.parity.emulators import Emulator
from tests.contract.parity.excuses import MET
from tests.contract.parity.suites import Suite

EXAMPLES = 60
_PARTS: tuple[tuple[Emulator, str, str, Any], ...] = (
    (emulators.FIRESTORE, "firestore", "FIRESTORE_CONTRACT_EMULATOR", compare_firestore),
    (emulators.PUBSUB, "pubsub", "PUBSUB_CONTRACT_EMULATOR", compare_pubsub),
)


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; the exit status."""
    options = _options(arguments)
    started = time.monotonic()
    results = {}
    with tempfile.TemporaryDirectory(prefix="memex-parity-") as folder:
        for part in _PARTS:
            results[part[0].name] = _compared(part, Path(folder) / part[1], options)
    outcome = {
        "seconds": round(time.monotonic() - started, 1),
        "examples": options.examples,
        "seed": options.seed,
        "met": {each: f"It {BY_ID[each].emulator}." for each in sorted(MET)},
        "services": results,
    }
    print(json.dumps(outcome, indent=2, ensure_ascii=False) if options.json else report.text(outcome))
    return 1 if any(map(report.differs, results.values())) else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="parity", description="Compare the local cloud with Google's emulators.")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="random scripts of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="where the random scripts begin (%(default)s)")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    return parser.parse_args(arguments)


def _compared(part: tuple[Emulator, str, str, Any], folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    emulator, name, variable, compare = part
    lacking = emulators.missing(emulator)
    if lacking is not None:
        return {"not_compared": f"{lacking}: neither the contract suite nor random requests were compared"}
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        address = stack.enter_context(emulators.running(emulator, folder / "emulator"))
        suite = Suite(name, variable, address, folder)
        stack.callback(suite.stop)
        found = compare(address, folder, options.examples, options.seed, lambda kind: _tell(f"{emulator.name}: {kind}"))
        _tell(f"{emulator.name}: contract suite")
        return report.result(suite.outcome(), found)


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


def _interrupt(number: int, frame: object) -> None:
    """End in order, once; hypothesis would take SystemExit for a failing example and shrink it."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
