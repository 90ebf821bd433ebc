"""Asking the model for the next answer, and storing it before anything is done with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NoReturn

from shared.chat import prompt
from shared.chat.bounds import Bounds
from shared.chat.drafts import Drafting
from shared.chat.ending import Ending
from shared.chat.fitting import fitted, total
from shared.chat.history import Past
from shared.chat.holding import Held, Step
from shared.chat.journal import Journal, Place, parts_of, stored_answer, stored_calls
from shared.chat.ports import Ports
from shared.chat.results import TOO_MANY, result_event
from shared.contracts.chat import ChatSession, ModelAnswer, RunningTurn, TurnStatus
from shared.contracts.events import EventType
from shared.errors import InputError, MemexError, ModelOutputError, Transient
from shared.faultpoint import faultpoint
from shared.llm.parts import calls_of, text_of, thought_of
from shared.llm.port import Answer, ModelRequest, TextDelta
from shared.store import paths
from shared.store.streams import EventDraft
from shared.store.writes import create

log = logging.getLogger(__name__)

TRIES = 3
"""How often one answer is asked for when the model fails in passing, or answers what is no answer."""
SHORTER_TRIES = 2
"""How often a conversation that the model refuses is halved."""
ASK_SECONDS = 120.0
OUTPUT_TOKENS = 8_192
CONTEXT_TOKENS = 100_000
"""Taken for a model that does not tell how much it reads."""
_WAIT_SECONDS = 30.0


class ModelFailed(Exception):
    """The model gave no answer, and asking again helps no more; `error` says why."""

    def __init__(self, error: MemexError) -> None:
        super().__init__(error.message)
        self.error = error


class OutOfBounds(Exception):
    """A bound of the turn was reached while the model failed."""


class Declined(MemexError):
    """The model will not answer this."""

    status, code = 422, "model_declined"


class Asking:
    def __init__(self, ports: Ports, bounds: Bounds) -> None:
        self._ports, self._bounds = ports, bounds

    def ask(self, held: Held, journal: Journal, past: Past) -> None:
        """Get the next answer and store it; one without calls ends the turn in the same commit.

        Raises Halted; ModelFailed when it failed TRIES times or cannot do it; Transient when it could not be stored.
        """
        answer = self._tried(held, journal, past)
        faultpoint("after_call:model.stream")
        self._store(held, journal, answer)

    def _tried(self, held: Held, journal: Journal, past: Past) -> Answer:
        failures, shorter, budget = 0, 0, self._budget()
        while True:
            try:
                return self._once(held, journal, past, budget)
            except (Transient, ModelOutputError) as error:
                held.check()  # a cut looks like a failure
                failures += 1
                if failures >= TRIES:
                    _fail(error)
                self._tell(held, error)
                self._wait(held, error, failures)
            except InputError as error:
                shorter += 1
                budget = min(budget, total([*past.exchanges, *journal.exchanges()])) // 2
                if shorter > SHORTER_TRIES or not (past.exchanges or len(journal.answers) > 1):
                    _fail(error)
                self._tell(held, error)
            except MemexError as error:
                _fail(error)
            if self._bounds.reached(held.turn):
                raise OutOfBounds

    def _once(self, held: Held, journal: Journal, past: Past, budget: int) -> Answer:
        model = self._ports.model()
        request = ModelRequest(
            messages=fitted(past.exchanges, journal.exchanges(), budget),
            system=prompt.system(self._ports.now().date(), past.summary),
            tools=tuple(self._ports.tools().specs()),
            max_output_tokens=OUTPUT_TOKENS,
            deadline_seconds=max(1.0, min(ASK_SECONDS, self._bounds.left_seconds(held.turn))),
        )
        draft = Drafting(held, len(journal.answers) + 1, self._ports.clock)
        faultpoint("before_call:model.stream")
        with held.cut.inner() as cut:
            for delta in model.stream(request, cut):
                held.check()
                if isinstance(delta, TextDelta):
                    draft.add(delta.text)
                elif isinstance(delta, Answer):
                    return _checked(delta)
        raise ModelOutputError("The model's answer broke off before its end.")

    def _budget(self) -> int:
        context = self._ports.model().capabilities.context_tokens or CONTEXT_TOKENS
        return max(1_000, int(context * 0.8) - OUTPUT_TOKENS)

    def _tell(self, held: Held, error: Transient | ModelOutputError | InputError) -> None:
        log.warning("turn %s: the model is asked again: %s", held.key.turn_id, error.message)
        data = {"turn_id": held.key.turn_id, "code": error.code, "message": error.message, "again": True}
        held.commit(lambda _s, _t: Step(events=(EventDraft(EventType.MODEL_ERROR, data),)), point="chat.model_error")

    def _wait(self, held: Held, error: Transient | ModelOutputError, failures: int) -> None:
        if isinstance(error, ModelOutputError):
            return
        seconds = self._ports.settings.chat_retry_seconds * 2 ** (failures - 1)
        wished = error.retry_after_seconds if error.retry_after_seconds > 1.0 else 0.0
        held.cut.wait(min(_WAIT_SECONDS, max(seconds, wished), self._bounds.left_seconds(held.turn)))
        held.check()

    def _store(self, held: Held, journal: Journal, answer: Answer) -> None:
        stored = stored_answer(answer, len(journal.answers) + 1)
        written = held.commit(self._step(held, stored, text_of(answer.message.parts)), point="chat.answer")
        held.writing = (stored.n, "")
        journal.answers.append(stored)
        journal.heard(written, held.key.turn_id)

    def _step(self, held: Held, answer: ModelAnswer, text: str) -> Callable[[ChatSession, RunningTurn], Step]:
        calls = stored_calls(answer)

        def make(session: ChatSession, turn: RunningTurn) -> Step:
            usage = turn.usage + answer.usage
            made = turn.calls + len(calls)
            after = {"iteration": answer.n, "calls": made, "usage": usage}
            events, ending = [*_events(turn.id, answer)], None
            if not calls:
                ending = Ending(TurnStatus.COMPLETED, _reason(answer), text, facts=self._facts())
            elif made > self._bounds.calls:
                events += [result_event(turn.id, Place(answer.n, i), one, TOO_MANY) for i, one in enumerate(calls)]
            document = create(paths.answer(session.id, turn.id, answer.n), answer.model_dump())
            return Step(turn=after, events=tuple(events), also=(document,), ending=ending)

        return make

    def _facts(self) -> tuple[tuple[str, str], ...]:
        return ("model", self._ports.model().name), ("prompt", prompt.version())


def _checked(answer: Answer) -> Answer:
    """Raises ModelOutputError for an answer that says nothing, Declined where the model says that it will not."""
    parts = answer.message.parts
    if text_of(parts) or calls_of(parts):
        return answer
    if answer.stop == "refused":
        raise Declined("The model declined to answer this.")
    raise ModelOutputError(f"The model answered nothing ({answer.stop}).")


def _fail(error: MemexError) -> NoReturn:
    raise ModelFailed(error) from error


def _reason(answer: ModelAnswer) -> str:
    return "length" if answer.stop == "max_tokens" else "end"


def _events(turn_id: str, answer: ModelAnswer) -> Iterator[EventDraft]:
    """What is shown of an answer: its thoughts, its text, its calls."""
    where = {"turn_id": turn_id, "iteration": answer.n}
    parts = parts_of(answer)
    if thought := thought_of(parts):
        yield EventDraft(EventType.MODEL_THOUGHT, {**where, "text": thought})
    if text := text_of(parts):
        yield EventDraft(EventType.MODEL_TEXT, {**where, "text": text})
    for index, call in enumerate(calls_of(parts)):
        data = {"index": index, "call_id": call.id, "tool": call.name, "arguments": dict(call.arguments)}
        yield EventDraft(EventType.TOOL_CALL, {**where, **data})
