"""`python -m bench`: measure, print one table, write JSON."""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
from pathlib import Path

from bench import machine, output
from bench.lab import Lab
from bench.row import Row

SUBJECTS = (
    "firestore_queries",
    "firestore_documents",
    "firestore_batches",
    "firestore_listen",
    "pubsub",
    "workflows",
    "triggers",
    "api",
    "chat",
    "sessions",
    "runs",
    "search",
    "memory",
    "queue",
    "page",
    "startup",
    "imports",
)


def main() -> int:
    arguments = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers end with us
    rows: list[Row] = []
    with Lab(arguments.repeat) as lab:
        facts = machine.describe(lab.emulators)
        print(output.header(facts), output.line(output.HEAD), sep="\n\n", flush=True)
        try:
            for subject in arguments.only or SUBJECTS:
                for row in importlib.import_module(f"bench.subjects.{subject}").run(lab):
                    rows.append(row)
                    print(output.line(output.cells(row)), flush=True)
        finally:  # what was measured before a failure is kept
            facts["load_after"] = machine.load()
            output.write_json(arguments.json, facts, rows)
    print(f"\nload {' '.join(map(str, facts['load_after']))} at the end; figures in {arguments.json}")
    if arguments.docs is not None:
        output.into_docs(arguments.docs, facts, rows)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("dist/bench.json"), help="where the figures go")
    parser.add_argument("--docs", type=Path, help="a document whose table is to be replaced: docs/benchmarks.md")
    parser.add_argument("--only", action="append", choices=SUBJECTS, help="only this subject; repeatable")
    parser.add_argument("--repeat", type=float, default=1.0, help="so many times the usual number of rounds")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
