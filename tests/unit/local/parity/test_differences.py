"""The list of differences has one home, and everything that speaks of one speaks of a listed one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.contract.differences import BY_ID, DIFFERENCES, table
from tests.contract.parity.excuses import EXCUSES

ROOT = Path(__file__).parents[4]
SUITES = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "tests/contract").glob("*/test_*.py")))


def test_the_documentation_shows_the_list_as_it_is() -> None:
    assert table() in (ROOT / "docs/local-cloud.md").read_text(encoding="utf-8")


def test_each_difference_is_listed_once() -> None:
    assert len(BY_ID) == len(DIFFERENCES)


def test_the_comparison_excuses_only_what_is_listed() -> None:
    assert set(EXCUSES) <= set(BY_ID)


def test_the_suites_name_only_what_is_listed_and_tests_that_exist() -> None:
    assert set(re.findall(r"\.differs\(\"([^\"]+)\"\)", SUITES)) <= set(BY_ID)
    assert all(f"def {test}(" in SUITES for each in DIFFERENCES for test in each.tests)


def test_every_listed_difference_is_used() -> None:
    used = set(EXCUSES) | set(re.findall(r"\.differs\(\"([^\"]+)\"\)", SUITES))
    assert {each.id for each in DIFFERENCES if not each.tests} <= used
