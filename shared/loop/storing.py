"""Storing an answer before anything is done with it: the document that is replayed, the events that are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import EventType
from shared.llm.parts import calls_of, text_of, thought_of
from shared.llm.port import Answer
from shared.loop.journal import Journal, parts_of, stored_answer, stored_calls
from shared.loop.ports import Briefing, Means
from shared.loop.results import result_event, too_many
from shared.loop.seat import Ending, Entry, Place, Progress, Seat, Writing
from shared.store.streams import EventDraft


class Storing:
    def __init__(self, means: Means) -> None:
        self._means, self._bounds = means, means.bounds

    def store(self, seat: Seat, journal: Journal, answer: Answer, briefing: Briefing) -> None:
        """Keep the answer, and show what is in it; one without calls ends the work in the same commit.

        Raises Halted; Transient when it could not be stored.
        """
        stored = stored_answer(answer, len(journal.answers) + 1)
        ending = None
        if not stored_calls(stored):
            facts = ("model", self._means.model().name), ("prompt", briefing.version)
            ending = Ending(_reason(stored), text_of(answer.message.parts), facts=facts)
        written = seat.commit(self._entry(seat, stored, ending), point="answer")
        seat.writing = Writing(stored.n)
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
