"""Asking the model for the next answer, and storing it before anything is done with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NoReturn

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import EventType
from shared.errors import InputError, MemexError, ModelOutputError, Transient
from shared.faultpoint import faultpoint
from shared.llm.parts import calls_of, text_of, thought_of
from shared.llm.port import Answer, ModelRequest, TextDelta
from shared.loop.drafts import Drafting
from shared.loop.fitting import fitted, total
from shared.loop.journal import Journal, parts_of, stored_answer, stored_calls
from shared.loop.ports import Briefing, Means
from shared.loop.results import result_event, too_many
from shared.loop.seat import Ending, Entry, Place, Progress, Seat
from shared.store.streams import EventDraft

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
    """A bound of the work was reached while the model failed."""


class Declined(MemexError):
    """The model will not answer this."""

    status, code = 422, "model_declined"


class Asking:
    def __init__(self, means: Means) -> None:
        self._means, self._bounds = means, means.bounds

    def ask(self, seat: Seat, journal: Journal, briefing: Briefing) -> None:
        """Get the next answer and store it; one without calls ends the work in the same commit.

        Raises Halted; ModelFailed when it failed TRIES times or cannot do it; Transient when it could not be stored.
        """
        answer = self._tried(seat, journal, briefing)
        faultpoint("after_call:model.stream")
        self._store(seat, journal, answer, briefing)

    def _tried(self, seat: Seat, journal: Journal, briefing: Briefing) -> Answer:
        failures, shorter, budget = 0, 0, self._budget()
        while True:
            try:
                return self._once(seat, journal, briefing, budget)
            except (Transient, ModelOutputError) as error:
                seat.check()  # a cut looks like a failure
                failures += 1
                if failures >= TRIES:
                    _fail(error)
                self._tell(seat, error)
                self._wait(seat, error, failures)
            except InputError as error:
                shorter += 1
                budget = min(budget, total([*briefing.past, *journal.exchanges()])) // 2
                if shorter > SHORTER_TRIES or not (briefing.past or len(journal.answers) > 1):
                    _fail(error)
                self._tell(seat, error)
            except MemexError as error:
                _fail(error)
            if self._bounds.reached(seat.progress):
                raise OutOfBounds

    def _once(self, seat: Seat, journal: Journal, briefing: Briefing, budget: int) -> Answer:
        model = self._means.model()
        request = ModelRequest(
            messages=fitted(briefing.past, journal.exchanges(), budget),
            system=briefing.system,
            tools=tuple(self._means.tools().specs()),
            max_output_tokens=OUTPUT_TOKENS,
            deadline_seconds=max(1.0, min(ASK_SECONDS, self._bounds.left_seconds(seat.progress))),
        )
        draft = Drafting(seat, len(journal.answers) + 1, self._means.clock)
        faultpoint("before_call:model.stream")
        with seat.cut.inner() as cut:
            for delta in model.stream(request, cut):
                seat.check()
                if isinstance(delta, TextDelta):
                    draft.add(delta.text)
                elif isinstance(delta, Answer):
                    return _checked(delta)
        raise ModelOutputError("The model's answer broke off before its end.")

    def _budget(self) -> int:
        context = self._means.model().capabilities.context_tokens or CONTEXT_TOKENS
        return max(1_000, int(context * 0.8) - OUTPUT_TOKENS)

    def _tell(self, seat: Seat, error: Transient | ModelOutputError | InputError) -> None:
        log.warning("%s %s: the model is asked again: %s", seat.kind, seat.id, error.message)
        data = {**seat.data, "code": error.code, "message": error.message, "again": True}
        seat.commit(lambda _progress: Entry(events=(EventDraft(EventType.MODEL_ERROR, data),)), point="model_error")

    def _wait(self, seat: Seat, error: Transient | ModelOutputError, failures: int) -> None:
        if isinstance(error, ModelOutputError):
            return
        seconds = self._means.retry_seconds * 2 ** (failures - 1)
        wished = error.retry_after_seconds if error.retry_after_seconds > 1.0 else 0.0
        seat.cut.wait(min(_WAIT_SECONDS, max(seconds, wished), self._bounds.left_seconds(seat.progress)))
        seat.check()

    def _store(self, seat: Seat, journal: Journal, answer: Answer, briefing: Briefing) -> None:
        stored = stored_answer(answer, len(journal.answers) + 1)
        ending = None
        if not stored_calls(stored):
            facts = ("model", self._means.model().name), ("prompt", briefing.version)
            ending = Ending(_reason(stored), text_of(answer.message.parts), facts=facts)
        written = seat.commit(self._entry(seat, stored, ending), point="answer")
        seat.writing = (stored.n, "")
        journal.answers.append(stored)
        journal.heard(seat, written)

    def _entry(self, seat: Seat, answer: ModelAnswer, ending: Ending | None) -> Callable[[Progress], Entry]:
        calls, document = stored_calls(answer), seat.storing(answer)

        def make(progress: Progress) -> Entry:
            made = progress.calls + len(calls)
            after = {"iteration": answer.n, "calls": made, "usage": progress.usage + answer.usage}
            events = [*_events(seat, answer)]
            if calls and made > self._bounds.calls:
                refusal = too_many(seat)
                events += [result_event(seat, Place(answer.n, i), one, refusal) for i, one in enumerate(calls)]
            return Entry(after, tuple(events), (document,), ending)

        return make


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


def _events(seat: Seat, answer: ModelAnswer) -> Iterator[EventDraft]:
    """What is shown of an answer: its thoughts, its text, its calls."""
    where = {**seat.data, "iteration": answer.n}
    parts = parts_of(answer)
    if thought := thought_of(parts):
        yield EventDraft(EventType.MODEL_THOUGHT, {**where, "text": thought})
    if text := text_of(parts):
        yield EventDraft(EventType.MODEL_TEXT, {**where, "text": text})
    for index, call in enumerate(calls_of(parts)):
        data = {"index": index, "call_id": call.id, "tool": call.name, "arguments": dict(call.arguments)}
        yield EventDraft(EventType.TOOL_CALL, {**where, **data})
