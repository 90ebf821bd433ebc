"""Asking the model for the next answer: again where that may help, and with less where it was too much."""

from __future__ import annotations

import json
import logging
from typing import NoReturn

from shared.contracts.events import EventType
from shared.contracts.limits import ANSWER_CALLS_BYTES, ANSWER_TEXT_BYTES
from shared.contracts.operations import Usage
from shared.errors import InputError, MemexError, ModelOutputError, SpendingPaused, Transient
from shared.faultpoint import faultpoint
from shared.llm.parts import calls_of, text_of
from shared.llm.port import Answer, Message, ModelRequest, Text, TextDelta, UsageDelta
from shared.loop.drafts import Drafting
from shared.loop.fitting import fitted, total
from shared.loop.journal import Journal
from shared.loop.ports import Briefing, Means
from shared.loop.retrying import Patience
from shared.loop.seat import Entry, Seat
from shared.store.event_size import cut_text
from shared.store.streams import EventDraft

log = logging.getLogger(__name__)

SHORTER_TRIES = 2
"""How often a conversation that the model refuses is halved."""
ASK_SECONDS = 120.0
OUTPUT_TOKENS = 8_192
CONTEXT_TOKENS = 100_000
"""Taken for a model that does not tell how much it reads."""


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


class TooLong(MemexError):
    """The answer is longer than can be kept."""

    status, code = 422, "model_too_long"


class Asking:
    def __init__(self, means: Means) -> None:
        self._means, self._bounds = means, means.bounds

    def ask(self, seat: Seat, journal: Journal, briefing: Briefing) -> Answer:
        """The next answer.

        Raises Halted; ModelFailed when it failed TRIES times or cannot do it; OutOfBounds; Transient when not even that
        it failed could be stored, and SpendingPaused where the work waits for that.
        """
        patience, shorter, budget = Patience(seat, self._means.retry_seconds), 0, self._budget()
        while True:
            try:
                return self._once(seat, journal, briefing, budget)
            except SpendingPaused as error:
                if self._means.waits:
                    raise
                _fail(error)
            except (Transient, ModelOutputError) as error:
                if patience.is_over():
                    _fail(error)
                self._tell(seat, error)
                patience.wait(error, self._bounds.left_seconds(seat.progress))
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
                elif isinstance(delta, UsageDelta):
                    draft.spent(delta.usage)
                elif isinstance(delta, Answer):
                    return _checked(delta)
                if draft.bytes > ANSWER_TEXT_BYTES:
                    return _cut_short(seat.writing.text, seat.writing.usage)
        raise ModelOutputError("The model's answer broke off before its end.")

    def _budget(self) -> int:
        context = self._means.model().capabilities.context_tokens or CONTEXT_TOKENS
        return max(1_000, int(context * 0.8) - OUTPUT_TOKENS)

    def _tell(self, seat: Seat, error: Transient | ModelOutputError | InputError) -> None:
        log.warning("%s %s: the model is asked again: %s", seat.kind, seat.id, error.message)
        data = {**seat.data, "code": error.code, "message": error.message, "again": True}
        seat.commit(lambda _progress: Entry(events=(EventDraft(EventType.MODEL_ERROR, data),)), point="model_error")


def _checked(answer: Answer) -> Answer:
    """Raises TooLong, ModelOutputError for an answer that says nothing, Declined where the model says it will not."""
    parts = answer.message.parts
    text, calls = text_of(parts), calls_of(parts)
    size = sum(len(json.dumps(dict(call.arguments), default=str)) + len(call.name) + len(call.id) for call in calls)
    if size > ANSWER_CALLS_BYTES:
        raise TooLong(f"The model's tool calls have {size:,} bytes, more than can be kept: ask for less at once.")
    if len(text.encode()) > ANSWER_TEXT_BYTES:
        return _cut_short(text, answer.usage)
    if text or calls:
        return answer
    if answer.stop == "refused":
        raise Declined("The model declined to answer this.")
    raise ModelOutputError(f"The model answered nothing ({answer.stop}).")


def _cut_short(text: str, usage: Usage) -> Answer:
    """As much of a text as can be kept; the rest is not waited for."""
    return Answer(Message("model", (Text(cut_text(text, ANSWER_TEXT_BYTES)),)), usage, "max_tokens")


def _fail(error: MemexError) -> NoReturn:
    raise ModelFailed(error) from error
