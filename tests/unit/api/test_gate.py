"""Event streams are counted in and out, for each workspace and altogether."""

from __future__ import annotations

import pytest

from shared.api.gate import Gate
from shared.api.refusals import TooManyStreams


def test_a_workspace_has_its_own_bound() -> None:
    gate = Gate(total=10, each=2)
    leave = gate.enter("a")
    gate.enter("a")
    with pytest.raises(TooManyStreams):
        gate.enter("a")
    gate.enter("b")
    leave()
    leave()
    gate.enter("a")
    with pytest.raises(TooManyStreams):
        gate.enter("a")


def test_all_together_have_a_bound() -> None:
    gate = Gate(total=2, each=2)
    gate.enter("a")
    gate.enter("b")
    with pytest.raises(TooManyStreams):
        gate.enter("c")
