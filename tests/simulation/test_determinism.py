"""The same seed is the same run: in one process, in another, and whatever the order of hashes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from infra.sim.run import simulate
from infra.sim.weather import Plan

SEED = 6
_SCRIPT = (
    f"from infra.sim.run import simulate; from infra.sim.weather import Plan; print(simulate(Plan({SEED})).digest)"
)


def _digest_of_a_process(hash_seed: str) -> str:
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], env=env, capture_output=True, text=True, timeout=100, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_a_seed_gives_the_same_run_in_every_process_whatever_the_order_of_hashes() -> None:
    here = simulate(Plan(SEED))

    assert here.faults and here.operations
    assert simulate(Plan(SEED)).digest == here.digest
    assert {_digest_of_a_process("1"), _digest_of_a_process("2")} == {here.digest}


def test_another_seed_gives_another_run() -> None:
    assert simulate(Plan(1)).digest != simulate(Plan(2)).digest


def test_a_fault_that_is_left_out_does_not_happen() -> None:
    whole = simulate(Plan(SEED))
    first = whole.faults[0].key

    without = simulate(Plan(SEED, left_out=frozenset({first})))

    assert first not in {fault.key for fault in without.faults}
    assert without.digest != whole.digest
