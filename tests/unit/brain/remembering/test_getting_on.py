"""A committer that others keep from writing does what it can, and leaves the rest to another job."""

from __future__ import annotations

import pytest

from shared.brain.committing import Committing
from shared.errors import Transient
from tests.unit.brain.remembering.world import MemoryWorld

BODY = "I prefer tea. I work at Acme. I live in Oslo."
ALL = {"I prefer tea.", "I work at Acme.", "I live in Oslo."}


class Busy:
    """The committer's stream as it is when every other try does not get through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, through: bool) -> None:
        self.tries, commit = 0, Committing.commit

        def tried(committing: Committing, item_id: str) -> None:
            self.tries += 1
            if not through or self.tries % 2 == 0:
                raise Transient("brain/committer could not be written just now: try again.")
            commit(committing, item_id)

        monkeypatch.setattr(Committing, "commit", tried)


def test_what_does_not_get_through_is_the_next_jobs(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Busy(monkeypatch, through=True)
    world.note(BODY)
    assert world.texts == ALL and busy.tries == 5
    counts = [outcome.counts["admitted"] for kind, outcome in world.outcomes if kind == "committer"]
    assert counts == [1, 1, 1]


def test_a_job_that_gets_nowhere_has_failed(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    Busy(monkeypatch, through=False)
    with pytest.raises(Transient):
        world.note(BODY)
    assert world.texts == set()
