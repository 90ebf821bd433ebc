"""The loop: model, calls, results, model …, from where the journal stands, until the work ends or its worker does."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from shared.contracts.events import EventType
from shared.errors import MemexError, ModelOutputError, SpendingPaused, Transient, Unexpected
from shared.faultpoint import faultpoint
from shared.loop.asking import Asking, ModelFailed, OutOfBounds
from shared.loop.journal import Journal, read_journal
from shared.loop.ports import Briefing, Means, model_fact
from shared.loop.results import NotRun, no_time, result_event, unknown
from shared.loop.running import Running
from shared.loop.seat import Ending, Entry, Halted, Seat
from shared.loop.storing import Storing
from shared.store.streams import EventDraft
from shared.telemetry.spans import rooted

log = logging.getLogger(__name__)

MALFORMED = 2
"""So many answers in a row with calls that could not be read go back to the model; the next one fails the work."""


class Carrying:
    def __init__(self, means: Means) -> None:
        self._means, self._bounds = means, means.bounds
        self._asking, self._storing = Asking(means), Storing(means)
        self._running = Running(means)

    def carry(self, seat: Seat, briefing: Callable[[], Briefing], journal: Journal | None = None) -> bool:
        """Work until the work has ended, or until the worker shall stop; whether it was given back then.

        `briefing` is asked once, and may commit. Never raises: what goes wrong is the work's end, or is left to whoever
        carries it on.
        """
        try:
            with rooted(seat.kind, "internal", {f"memex.{name}": str(value) for name, value in seat.data.items()}):
                journal = journal or read_journal(seat)
                self._carried(seat, journal, briefing())
        except Halted:
            return self._given_back(seat)
        except SpendingPaused as paused:
            log.info("%s %s waits: %s", seat.kind, seat.id, paused.message)
            return self._given_back(seat)
        except Transient as error:  # the store is away: nothing can be said there either
            log.warning("%s %s is left to another worker: %s", seat.kind, seat.id, error.message)
            return self._given_back(seat)
        except Exception as error:  # noqa: BLE001 - a worker's edge: whatever it was is the work's end, visibly
            log.exception("%s %s failed", seat.kind, seat.id)
            return self._failed(seat, error, journal or Journal(""))
        return False

    def _carried(self, seat: Seat, journal: Journal, briefing: Briefing) -> None:
        while not seat.ended:
            reached = self._bounds.reached(seat.progress)
            pending = journal.pending()
            try:
                if pending and (reached is None or reached.name != "time"):
                    self._running.run(seat, journal, pending)  # what was asked for within the bounds is still done
                elif reached:
                    self._end(seat, Ending(reached.name, reached.sentence), journal)
                elif journal.malformed_in_a_row() > MALFORMED:
                    message = "The model's tool calls could not be read three times in a row. Try again."
                    self._end(seat, Ending.failed("malformed_calls", message), journal)
                else:
                    answer = self._asking.ask(seat, journal, briefing)
                    faultpoint("after_call:model.stream")
                    self._storing.store(seat, journal, answer, briefing)
            except OutOfBounds:
                continue
            except ModelFailed as failure:
                self._end(seat, _failure(failure.error), journal)

    def _end(self, seat: Seat, ending: Ending, journal: Journal, left: NotRun | None = None) -> None:
        """End the work otherwise than by an answer; a closing sentence is what the model would have said.

        Calls without a result are answered by `left`, or as not run.
        """
        left = left or no_time(seat)
        events = tuple(result_event(seat, place, call, left) for place, call in journal.pending())
        if ending.error is not None:
            told = {**seat.data, "again": False, **ending.error.model_dump(exclude={"v"})}
            events += (EventDraft(EventType.MODEL_ERROR, told),)
        elif ending.answer:
            data = {**seat.data, "iteration": len(journal.answers) + 1, "text": ending.answer}
            events += (EventDraft(EventType.MODEL_TEXT, data),)
        entry = Entry(events=events, ending=replace(ending, facts=model_fact(self._means.model)))
        seat.commit(lambda _progress: entry, point="end")

    def _failed(self, seat: Seat, error: Exception, journal: Journal) -> bool:
        """End the work with what went wrong; whether it was given back because not even that could be stored."""
        told = error if isinstance(error, MemexError) and error.status < 500 else Unexpected()
        try:
            self._end(seat, Ending.failed(told.code, told.message), journal, unknown())
        except (Halted, MemexError):
            return self._given_back(seat)
        return False

    def _given_back(self, seat: Seat) -> bool:
        """Let another carry the work on at once, where it goes on at all; whether it does."""
        if seat.cut.reason == "lost" or seat.ended:
            return False
        seat.cut.cut("given_back")  # or its watcher might renew what is given back
        try:
            seat.give_back()
        except MemexError as error:  # it has ended, or another waits for the end of the lease
            log.warning("%s %s was not given back: %s", seat.kind, seat.id, error.message)
            return False
        return True


def _failure(error: MemexError) -> Ending:
    return Ending.failed(error.code, error.message, passing=isinstance(error, Transient | ModelOutputError))
