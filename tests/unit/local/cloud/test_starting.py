"""What ends a start: functions that cannot be loaded, and who wants it no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.starting import CannotStart, StartStopped

CODE = Path(__file__).parents[4]
PROBES = CODE / "tests" / "support" / "functions_root"

WRONG = [
    ("RESEARCH_BACKEND", "nope"),
    ("RESEARCH_DEADLINE_SECONDS", "abc"),
    ("SSE_SECONDS", "-5"),
    ("RESEARCH_POLL_MIN_SECONDS", "nan"),
    ("FAULT_KILL", "point"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_ends_the_start_with_a_sentence_that_names_it(name: str, value: str, tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(CODE, tmp_path, functions="inline", env={name: value}))
    with pytest.raises(CannotStart, match=f"{name} is '{value}'"):
        cloud.start()


def test_a_wrong_setting_is_learnt_from_the_host_process_too(tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(CODE, tmp_path, env={"SSE_SECONDS": "0"}))
    with pytest.raises(CannotStart, match="SSE_SECONDS is '0'"):
        cloud.start()


def test_one_function_that_cannot_be_loaded_leaves_the_others_running(tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(PROBES, tmp_path, functions="inline"))
    try:
        cloud.start()
        health = cloud.health()
        assert health["status"] == "degraded" and health["functions"]["probe"] == "ready"
        assert "cannot be loaded" in health["functions"]["broken"]
    finally:
        cloud.close()


def answers(*values: bool) -> Iterator[bool]:
    yield from values
    while True:
        yield True


@pytest.mark.parametrize("steps", range(6))
def test_a_start_that_is_called_off_ends_at_its_next_step_and_frees_its_data(steps: int, tmp_path: Path) -> None:
    wishes = answers(*[False] * steps)
    cloud = LocalCloud(CloudConfig(PROBES, tmp_path, functions="inline", stopping=lambda: next(wishes)))
    with pytest.raises(StartStopped):
        cloud.start()
    again = LocalCloud(CloudConfig(PROBES, tmp_path, functions="none"))
    again.start()
    again.close()
