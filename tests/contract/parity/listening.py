"""Listeners on both servers: after each step they must know the same, and what a query gives."""

from __future__ import annotations

from tests.contract.parity.excuses import excuse
from tests.contract.parity.firestore_side import Answer
from tests.contract.parity.listen_side import ListenSide
from tests.contract.parity.script import Disagreement, comparable, new_project
from tests.contract.parity.step import Script


def compare_listeners(script: Script, local: ListenSide, official: ListenSide) -> Disagreement | None:
    """The first step after which they know different things, or this one other than what is."""
    project = new_project()
    for side in (local, official):
        side.begin(project)
    together = True
    for number, step in enumerate(script, 1):
        mine = comparable(local.take(step), project)
        if mine.content is not None and mine.content.get("wrong"):
            return Disagreement(script[:number], mine, Answer("WHAT_A_QUERY_GIVES"))
        theirs = comparable(official.take(step), project) if together else mine
        if mine != theirs:
            if excuse(step, mine, theirs) is None:
                return Disagreement(script[:number], mine, theirs)
            together = False  # after a listed difference the two do not know the same
    return None
