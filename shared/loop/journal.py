"""What a piece of work has done so far, as stored: its answers, and the results of their calls.

It is read when a worker takes the work over and kept up to date by the worker itself; a model is never asked again for
an answer that is in it, and no call is run again whose result is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import Event, EventType
from shared.contracts.limits import ANSWER_BYTES, ANSWER_THOUGHTS_BYTES
from shared.llm.parts import calls_of, clean
from shared.llm.port import Answer, Call, Message, Part, Result, Text, Thought
from shared.loop.seat import Place, Seat
from shared.store.event_size import cut_text

NO_RESULT = {"error": {"code": "no_result", "message": "The call broke off; nobody knows what came of it."}}


@dataclass
class Journal:
    """`text` is what was asked, such as the person's message."""

    text: str
    answers: list[ModelAnswer] = field(default_factory=list)
    results: dict[Place, Mapping[str, Any]] = field(default_factory=dict)
    """The data of the events tool_result."""

    def pending(self) -> list[tuple[Place, Call]]:
        """The calls of the last answer that have no result yet, in order."""
        if not self.answers:
            return []
        last = self.answers[-1]
        places = ((Place(last.n, index), call) for index, call in enumerate(stored_calls(last)))
        return [(place, call) for place, call in places if place not in self.results]

    def malformed_in_a_row(self) -> int:
        """How many of the last answers, without a good one between them, had a call that could not be read."""
        count = 0
        for answer in reversed(self.answers):
            places = (Place(answer.n, index) for index, _ in enumerate(stored_calls(answer)))
            if not any(self.results.get(place, {}).get("malformed") for place in places):
                break
            count += 1
        return count

    def exchanges(self) -> list[tuple[Message, ...]]:
        """The messages in groups that must stay together: what was asked, then each answer with its results."""
        return [(Message("user", (Text(self.text),)),), *(tuple(self._exchange(one)) for one in self.answers)]

    def _exchange(self, answer: ModelAnswer) -> Iterator[Message]:
        yield Message("model", parts_of(answer), answer.provider, answer.verbatim)
        results = tuple(self._result(Place(answer.n, i), call) for i, call in enumerate(stored_calls(answer)))
        if results:
            yield Message("tool", results)

    def _result(self, place: Place, call: Call) -> Result:
        data = self.results.get(place)
        if data is None:
            return Result(call.id, call.name, NO_RESULT, failed=True)
        content = data.get("result")
        return Result(
            call.id, call.name, content if isinstance(content, dict) else {"result": content}, failed=not data.get("ok")
        )

    def heard(self, seat: Seat, events: Iterable[Event]) -> None:
        """Take the results among the events that are of the seat's work."""
        for event in events:
            if event.type == EventType.TOOL_RESULT and seat.data.items() <= event.data.items():
                self.results[Place(int(event.data["iteration"]), int(event.data["index"]))] = event.data


def read_journal(seat: Seat) -> Journal:
    """The journal of the work as it is stored."""
    journal = Journal(seat.asked())
    journal.answers.extend(seat.answers())
    if journal.answers:
        journal.heard(seat, seat.store.streams.all(seat.stream, after=seat.first_seq))
    return journal


def stored_answer(answer: Answer, n: int) -> ModelAnswer:
    """An answer as it is kept; one whose provider's form is too long is replayed from its parts."""
    verbatim = clean(answer.message.verbatim)
    thoughts = sum(isinstance(part, Thought) for part in answer.message.parts)
    return ModelAnswer(
        n=n,
        parts=tuple(_stored(part, ANSWER_THOUGHTS_BYTES // max(1, thoughts)) for part in answer.message.parts),
        provider=answer.message.provider,
        verbatim=verbatim if len(verbatim.encode()) <= ANSWER_BYTES else "",
        usage=answer.usage,
        stop=answer.stop,
    )


def _stored(part: Part, thought_bytes: int) -> dict[str, Any]:
    if isinstance(part, Call):
        # As JSON: arguments may hold what Firestore cannot, such as lists in lists.
        arguments = json.dumps(part.arguments)
        about = {"id": clean(part.id), "name": clean(part.name), "problem": clean(part.problem)}
        return {"kind": "call", **about, "arguments": arguments}
    if isinstance(part, Thought):
        return {"kind": "thought", "text": cut_text(clean(part.text), max(100, thought_bytes))}
    return {"kind": "text", "text": clean(part.text) if isinstance(part, Text) else ""}


def parts_of(answer: ModelAnswer) -> tuple[Part, ...]:
    """The parts of a stored answer."""
    return tuple(_part(stored) for stored in answer.parts)


def _part(stored: Mapping[str, Any]) -> Part:
    if stored["kind"] == "call":
        return Call(stored["id"], stored["name"], json.loads(stored["arguments"]), stored.get("problem", ""))
    return Thought(stored["text"]) if stored["kind"] == "thought" else Text(stored["text"])


def stored_calls(answer: ModelAnswer) -> list[Call]:
    """The calls of a stored answer, in order: their places are what results and effects are named by."""
    return calls_of(parts_of(answer))
