"""The two contract suites run on the local cloud and on the emulators, and what failed on either."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

SUITE_SECONDS = 600


@dataclass(frozen=True)
class Outcome:
    """How a suite went; `failed` has the unlisted failures, each with the last line of what was wrong."""

    passed: int
    listed: int
    failed: dict[str, str]


class Suite:
    """One suite under way in a process of its own."""

    def __init__(self, name: str, variable: str, address: str, folder: Path) -> None:
        self._report = folder / f"{name}.xml"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pytest", f"tests/contract/{name}", "-q", "-x", "--maxfail=50"]
            + ["-p", "no:cacheprovider", f"--junitxml={self._report}"],
            env={**os.environ, variable: address},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def outcome(self) -> Outcome:
        """Wait for the end. Raises subprocess.TimeoutExpired, RuntimeError when there is no report."""
        self._process.wait(SUITE_SECONDS)
        if not self._report.exists():
            raise RuntimeError(f"The suite ended with {self._process.returncode} and left no report")
        return read_report(self._report)

    def stop(self) -> None:
        """End it, if it has not ended."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)


def read_report(file: Path) -> Outcome:
    """What a JUnit report says; what was skipped or expected to fail is in the list of differences."""
    passed, listed, failed = 0, 0, {}
    for case in ElementTree.parse(file).iter("testcase"):
        wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
        if wrong is not None:
            failed[f"{case.get('classname')}::{case.get('name')}"] = (wrong.get("message") or "").splitlines()[0][:300]
        elif case.find("skipped") is not None:
            listed += 1
        else:
            passed += 1
    return Outcome(passed, listed, failed)
