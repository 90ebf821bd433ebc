"""Event streams are counted in and out, for each workspace and altogether."""

from __future__ import annotations

import pytest

from shared.trace.gate import Gate, TooManyStreams

FULL = "There is no room."


def test_a_workspace_has_its_own_bound() -> None:
    gate = Gate(total=10, each=2)
    leave = gate.enter("a", refusal=FULL)
    gate.enter("a", refusal=FULL)
    with pytest.raises(TooManyStreams):
        gate.enter("a", refusal=FULL)
    gate.enter("b", refusal=FULL)
    leave()
    leave()
    gate.enter("a", refusal=FULL)
    with pytest.raises(TooManyStreams):
        gate.enter("a", refusal=FULL)


def test_all_together_have_a_bound() -> None:
    gate = Gate(total=2, each=2)
    gate.enter("a", refusal=FULL)
    gate.enter("b", refusal=FULL)
    with pytest.raises(TooManyStreams):
        gate.enter("c", refusal=FULL)
