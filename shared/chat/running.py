"""Running the calls of a stored answer: several at once, each result committed as it comes."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from functools import partial

from shared.chat.bounds import Bounds
from shared.chat.holding import Held, Step
from shared.chat.journal import Journal, Place
from shared.chat.ports import Outcome, Ports
from shared.chat.results import NO_TIME, refused, result_event
from shared.contracts.chat import ChatSession, RunningTurn
from shared.faultpoint import faultpoint
from shared.gateway.transport import Cut
from shared.ids import derived
from shared.llm.port import Call
from shared.store import paths
from shared.tools.tool import Job

AT_ONCE = 4
_LOOK_SECONDS = 0.05


def _always(step: Step, _session: ChatSession, _turn: RunningTurn) -> Step:
    return step


Came = tuple[Place, Call, Outcome]


class Running:
    def __init__(self, ports: Ports, bounds: Bounds) -> None:
        self._ports, self._bounds = ports, bounds

    def run(self, held: Held, journal: Journal, pending: Sequence[tuple[Place, Call]]) -> None:
        """Run these calls; the results lie in the journal and in the stream when it returns.

        A call's effect is keyed by the turn and the call's place in the stored answer, so that running it again after
        a crash repeats nothing. Calls that
        are still to be begun when the turn's time is up are not. Raises Halted: then threads of calls that still block
        end by themselves, unheard.
        """
        for place, call, outcome in self._outcomes(held, pending):
            step = Step(events=(result_event(held.key.turn_id, place, call, outcome),))
            written = held.commit(partial(_always, step), point="chat.result")
            journal.heard(written, held.key.turn_id)

    def _outcomes(self, held: Held, pending: Sequence[tuple[Place, Call]]) -> Iterator[Came]:
        """Each as it ends. Raises what failed on our side in making a call: a worker that waited on would hang."""
        left: queue.SimpleQueue[tuple[Place, Call]] = queue.SimpleQueue()
        came: queue.SimpleQueue[Came | Exception] = queue.SimpleQueue()
        for one in pending:
            left.put(one)
        with held.cut.inner() as cut:

            def work() -> None:
                while not cut.reason:
                    try:
                        place, call = left.get_nowait()
                    except queue.Empty:
                        return
                    try:
                        came.put((place, call, self._outcome(held, place, call, cut)))
                    except Exception as failure:  # noqa: BLE001 - a thread's edge: its worker waits for it, and is told
                        came.put(failure)

            for number in range(min(AT_ONCE, len(pending))):
                self._ports.spawn(work, f"call {number} of {held.key.turn_id}")
            for _ in pending:
                yield self._next(held, came)

    @staticmethod
    def _next(held: Held, came: queue.SimpleQueue[Came | Exception]) -> Came:
        """Waits as long as a call may take: the registry bounds each by its tool's time."""
        while True:
            held.check()
            try:
                one = came.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if isinstance(one, Exception):
                raise one
            return one

    def _outcome(self, held: Held, place: Place, call: Call, cut: Cut) -> Outcome:
        if call.problem:
            return refused("malformed_call", f"This call could not be read: {call.problem}", malformed=True)
        if self._bounds.left_seconds(held.turn) <= 0:
            return NO_TIME
        key = held.key
        effect = derived("effect", key.session_id, key.turn_id, str(place.iteration), str(place.index))
        job = Job(
            store=held.store,
            services=self._ports.services(key.workspace),
            clock=self._ports.clock,
            actor=paths.session(key.session_id),
            effect_key=effect,
            cut=cut,
            also=lambda _answer: (held.store.chats.while_running(key.session_id, key.turn_id, effect),),
        )
        faultpoint("before_call:tool")
        outcome = self._ports.tools().call(job, call.name, call.arguments)
        faultpoint("after_call:tool")
        return outcome
