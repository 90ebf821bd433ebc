"""Interleaved transactions on both servers: alike until they contend, and from there on serializable here."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.contract.parity import excuses
from tests.contract.parity.contention_cases import ACTORS, rollback
from tests.contract.parity.firestore_side import DEADLINE_SECONDS, Answer, Side
from tests.contract.parity.script import Disagreement, comparable, new_project
from tests.contract.parity.serial import READS, Event, fault
from tests.contract.parity.step import Script, Step
from tests.contract.parity.values import placed

BLOCKED_SECONDS = 0.2
"""An answer that takes longer waits for a lock, once there is contention; before it, nothing waits."""
BLOCKED = Answer("BLOCKED")
Waiting = dict[int, tuple[Event, Future[Any]]]
"""By the actor that waits for an answer."""


class Interleaved:
    """One server, and actors that ask it, each one thing at a time."""

    def __init__(self, address: str, indexes: Path | None = None) -> None:
        self._sides = [Side(address, indexes if actor == 0 else None) for actor in range(ACTORS)]
        self._pool = ThreadPoolExecutor(ACTORS)

    def close(self) -> None:
        self._pool.shutdown()
        for side in self._sides:
            side.close()

    def run(self, script: Script, project: str, contended: int) -> Generator[tuple[int, list[Event]]]:
        """Take the steps in order; after each, its number and what was answered meanwhile.

        A step whose actor still waits for an answer is left out. From the step `contended` on, no
        answer is waited for longer than a moment.
        """
        for side in self._sides:
            side.fresh()
        waiting: Waiting = {}
        try:
            for number, step in enumerate(script):
                if step.actor not in waiting:
                    event = Event(step, number, number, BLOCKED)
                    waiting[step.actor] = (event, self._pool.submit(self._ask, step, project))
                _wait(waiting, BLOCKED_SECONDS if number >= contended else DEADLINE_SECONDS)
                yield number, list(_answered(waiting, number))
            _wait(waiting, DEADLINE_SECONDS)
            yield len(script), list(_answered(waiting, len(script)))
        finally:
            self._let_go(waiting, project)

    def _let_go(self, waiting: Waiting, project: str) -> None:
        """End what is under way, so that nobody waits for it any longer."""
        for actor in set(range(1, ACTORS)) - waiting.keys():
            self._ask(rollback(actor), project)
        _wait(waiting, DEADLINE_SECONDS)

    def _ask(self, step: Step, project: str) -> tuple[Answer, tuple[int, int]]:
        side = self._sides[step.actor]
        answer = comparable(side.ask(step.method, placed(step.request, project)), project)
        time = side.commit_times[-1] if side.commit_times else None
        return answer, (0, 0) if time is None else (time.seconds, time.nanos)


def _wait(waiting: Waiting, seconds: float) -> None:
    wait([future for _, future in waiting.values()], seconds)


def _answered(waiting: Waiting, number: int) -> Iterator[Event]:
    for actor, (event, future) in list(waiting.items()):
        if future.done():
            event.answer, event.commit_time = future.result()
            event.ended = number
            del waiting[actor]
            yield event


def compare_interleaved(script: Script, local: Interleaved, official: Interleaved) -> Disagreement | None:
    """The first step that is answered differently before there is contention, or that must not be answered so here."""
    contended = first_contended(script)
    events = [each for _, some in local.run(script, new_project(), contended) for each in some]
    answers = {each.began: each.answer for each in events}
    with closing(official.run(script[: contended + 1], new_project(), contended)) as turns:
        for number, some in itertools.islice(turns, contended + 1):
            mine, theirs = answers.get(number, BLOCKED), next((e.answer for e in some if e.began == number), BLOCKED)
            if mine != theirs and number < contended and excuses.excuse(script[number], mine, theirs) is None:
                return Disagreement(script[: number + 1], mine, theirs)
            if theirs is BLOCKED:
                excuses.MET.add("locks")
    wrong = fault(events)
    if wrong is None:
        return None
    event, why = wrong
    return Disagreement(script[: event.ended + 1], event.answer, Answer("SERIALIZABLE", text=why))


def first_contended(script: Script) -> int:
    """The number of the first step that changes what another transaction under way has read; else that of no step."""
    reading: dict[int, set[str]] = {}
    for number, step in enumerate(script):
        written = {write.delete or write.update.name for write in getattr(step.request, "writes", ())}
        for actor, read in reading.items():
            if actor != step.actor and (written & read or (written and "" in read)):
                return number
        if step.method == "BeginTransaction" and not step.request.options.HasField("read_only"):
            reading[step.actor] = set()
        elif step.method in READS and step.actor in reading:
            reading[step.actor].update(getattr(step.request, "documents", [""]))
        elif step.method in ("Commit", "Rollback"):
            reading.pop(step.actor, None)
    return len(script)
