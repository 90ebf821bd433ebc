"""The loop: model, calls, results, model …, from where the journal stands, until the turn ends or its worker does."""

from __future__ import annotations

import logging

from shared.chat.asking import Asking, ModelFailed, OutOfBounds
from shared.chat.bounds import Bounds
from shared.chat.ending import Ending
from shared.chat.history import History
from shared.chat.holding import Halted, Held, Step
from shared.chat.journal import Journal, read_journal
from shared.chat.ports import Ports
from shared.chat.results import NO_TIME, result_event
from shared.chat.running import Running
from shared.contracts.chat import TurnStatus
from shared.contracts.events import EventType
from shared.errors import MemexError, Transient
from shared.store.streams import EventDraft

log = logging.getLogger(__name__)

MALFORMED = 2
"""So many answers in a row with calls that could not be read go back to the model; the next one fails the turn."""


class Carrying:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._bounds = Bounds(ports.settings, ports.clock)
        self._history = History(ports)
        self._asking = Asking(ports, self._bounds)
        self._running = Running(ports, self._bounds)

    def carry(self, held: Held, journal: Journal | None = None) -> bool:
        """Work on the turn until it has ended, or until the worker shall stop; whether it was given back then.

        Never raises: what goes wrong is the turn's end, or is left to whoever carries it on.
        """
        try:
            self._carried(held, journal or read_journal(held))
        except Halted:
            return self._given_back(held)
        except Transient as error:  # the store is away: nothing can be said there either
            log.warning("turn %s is left to another worker: %s", held.key.turn_id, error.message)
            return self._given_back(held)
        except Exception as error:  # noqa: BLE001 - a worker's edge: whatever it was is the turn's end, visibly
            log.exception("turn %s failed", held.key.turn_id)
            return self._failed(held, error)
        return False

    def _carried(self, held: Held, journal: Journal) -> None:
        past = self._history.past(held)
        while not held.ended:
            reached = self._bounds.reached(held.turn)
            pending = journal.pending()
            try:
                if pending and (reached is None or reached.name != "time"):
                    self._running.run(held, journal, pending)  # what was asked for within the bounds is still done
                elif reached:
                    self._end(held, Ending(TurnStatus.COMPLETED, reached.name, reached.sentence), journal)
                elif journal.malformed_in_a_row() > MALFORMED:
                    message = "The model's tool calls could not be read three times in a row. Try again."
                    self._end(held, Ending.failed("malformed_calls", message), journal)
                else:
                    self._asking.ask(held, journal, past)
            except OutOfBounds:
                continue
            except ModelFailed as failure:
                self._end(held, Ending.failed(failure.error.code, failure.error.message), journal)

    def _end(self, held: Held, ending: Ending, journal: Journal) -> None:
        """End the turn otherwise than by an answer; a closing sentence is what the model would have said."""
        turn_id = held.key.turn_id
        events = tuple(result_event(turn_id, place, call, NO_TIME) for place, call in journal.pending())
        if ending.error is not None:
            told = {"turn_id": turn_id, "again": False, **ending.error.model_dump(exclude={"v"})}
            events += (EventDraft(EventType.MODEL_ERROR, told),)
        elif ending.answer:
            data = {"turn_id": turn_id, "iteration": len(journal.answers) + 1, "text": ending.answer}
            events += (EventDraft(EventType.MODEL_TEXT, data),)
        held.commit(lambda _session, _turn: Step(events=events, ending=ending), point="chat.end")

    def _failed(self, held: Held, error: Exception) -> bool:
        """End the turn with what went wrong; whether it was given back because not even that could be stored."""
        code, message = "internal", "Something went wrong on our side. It was logged; trying again may help."
        if isinstance(error, MemexError) and error.status < 500:
            code, message = error.code, error.message
        try:
            self._end(held, Ending.failed(code, message), Journal(""))
        except (Halted, MemexError):
            return self._given_back(held)
        return False

    def _given_back(self, held: Held) -> bool:
        """Let another carry the turn on at once, where it goes on at all; whether it does."""
        if held.cut.reason == "lost" or held.ended:
            return False
        held.cut.cut("given_back")  # or its watcher might renew what is given back
        try:
            held.give_back()
        except MemexError as error:  # it has ended, or another waits for the end of the lease
            log.warning("turn %s was not given back: %s", held.key.turn_id, error.message)
            return False
        return True
