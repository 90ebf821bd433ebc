"""Running the calls of a stored answer: several at once, each result committed as it comes."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from shared.contracts.operations import Usage
from shared.faultpoint import faultpoint
from shared.llm.port import Call
from shared.loop.journal import Journal
from shared.loop.ports import Means, Outcome
from shared.loop.results import no_time, refused, result_event
from shared.loop.seat import Entry, Place, Progress, Seat
from shared.loop.strangers import bounds_of
from shared.store.streams import EventDraft
from shared.telemetry import genai
from shared.tools.tool import Job

AT_ONCE = 4
_LOOK_SECONDS = 0.05


@dataclass(frozen=True)
class Came:
    """A call that has ended, and what its tool used of models and searches."""

    place: Place
    call: Call
    outcome: Outcome
    used: Usage


def _entry(event: EventDraft, used: Usage, progress: Progress) -> Entry:
    """The result, and what it cost where it cost anything."""
    return Entry({"usage": progress.usage + used} if used != Usage() else {}, (event,))


class Running:
    def __init__(self, means: Means) -> None:
        self._means = means

    def run(self, seat: Seat, journal: Journal, pending: Sequence[tuple[Place, Call]]) -> None:
        """Run these calls; the results lie in the journal and in the stream when it returns.

        A call's effect is keyed by the work and the call's place in the stored answer, so that running it again after
        a crash repeats nothing. Calls that are still to be begun when the work's time is up are not. Raises Halted;
        then threads of calls that still block end by themselves, unheard.
        """
        for came in self._outcomes(seat, journal, pending):
            event = result_event(seat, came.place, came.call, came.outcome)
            journal.heard(seat, seat.commit(partial(_entry, event, came.used), point="result"))

    def _outcomes(self, seat: Seat, journal: Journal, pending: Sequence[tuple[Place, Call]]) -> Iterator[Came]:
        """Each as it ends. Raises what failed on our side in making a call: a worker that waited on would hang."""
        bound = bounds_of(journal, pending[0][0].iteration)
        left: queue.SimpleQueue[tuple[Place, Call]] = queue.SimpleQueue()
        came: queue.SimpleQueue[Came | Exception] = queue.SimpleQueue()
        for one in pending:
            left.put(one)
        with seat.cut.inner() as cut:

            def work() -> None:
                while not cut.reason:
                    try:
                        place, call = left.get_nowait()
                    except queue.Empty:
                        return
                    try:
                        came.put(self._ended(seat, bound(seat.job(place, cut)), place, call))
                    except Exception as failure:  # noqa: BLE001 - a thread's edge: its worker waits for it, and is told
                        came.put(failure)

            for number in range(min(AT_ONCE, len(pending))):
                self._means.spawn(work, f"call {number} of {seat.id}")
            for _ in pending:
                yield self._next(seat, came)

    @staticmethod
    def _next(seat: Seat, came: queue.SimpleQueue[Came | Exception]) -> Came:
        """Waits as long as a call may take: the registry bounds each by its tool's time."""
        while True:
            seat.check()
            try:
                one = came.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if isinstance(one, Exception):
                raise one
            return one

    def _ended(self, seat: Seat, job: Job, place: Place, call: Call) -> Came:
        used: list[Usage] = []
        outcome = self._outcome(seat, replace(job, spend=used.append), call)
        return Came(place, call, outcome, sum(used, Usage()))

    def _outcome(self, seat: Seat, job: Job, call: Call) -> Outcome:
        if call.problem:
            return refused("malformed_call", f"This call could not be read: {call.problem}", malformed=True)
        if self._means.bounds.left_seconds(seat.progress) <= 0:
            return no_time(seat)
        faultpoint("before_call:tool")
        with genai.tool_call(call.name, call.id) as span:
            outcome = self._means.tools().call(job, call.name, call.arguments)
            if not outcome.ok:
                span.failed("tool_failed")
        faultpoint("after_call:tool")
        return outcome
