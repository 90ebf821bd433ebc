"""New steps of a run as trace events. Steps are JSON of the service: nothing about their shape is taken for granted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.operations import Usage
from shared.research.report.parts import text_of

Step = Mapping[str, Any]

_EVENTS = 200
_TEXT_CHARACTERS = 4_000
_ITEM_CHARACTERS = 1_000
_ITEMS = 20
_COUNT = 10**15
"""Counts end here: sums of them still fit the 64 bits that the store has."""
_BYTES = 2_000_000
"""Of the events of one poll: together with a report of the greatest length they fit one commit (10 MiB)."""
_QUIET = ("_result", "user_input")


@dataclass(frozen=True)
class Progress:
    """`events` are (type, data) in order; `steps_seen` is how many output steps have been told of, these included."""

    events: tuple[tuple[str, dict[str, Any]], ...]
    steps_seen: int


def output_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps without the input, which only some answers show."""
    return [step for step in steps if step.get("type") != "user_input"]


def progress(steps: Sequence[Step], steps_seen: int, *, ended: bool) -> Progress:
    """What is new since `steps_seen`. The last step of a run that goes on may still grow, so it is not told yet."""
    made = output_steps(steps)
    whole = len(made) if ended else max(len(made) - 1, 0)
    events = []
    characters = sum(len(text_of(step)) for step in made[:steps_seen])
    for step in made[steps_seen:whole]:
        characters += len(text_of(step))
        events += list(_events(step, characters))
    fitting = _fitting(events)
    if fitting < len(events):
        left_out = len(events) - fitting
        events = [*events[:fitting], (EventType.STEP, {"step_type": "left_out", "steps": left_out})]
    return Progress(tuple(events), max(whole, steps_seen))


def _fitting(events: Sequence[tuple[str, dict[str, Any]]]) -> int:
    """How many of them are told: all, or so many that one more says how many were left out."""
    sizes = itertools.accumulate(len(str(data).encode(errors="replace")) for _, data in events)
    within = sum(size <= _BYTES for size in sizes)
    return within if within == len(events) <= _EVENTS else min(within, _EVENTS - 1)


def _events(step: Step, characters: int) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = step.get("type")
    kind = kind if isinstance(kind, str) and kind else "unknown"
    if kind == "thought":
        if text := _summary(step):
            yield EventType.THOUGHT, {"text": text}
    elif kind == "model_output":
        yield EventType.WRITING, {"characters": characters}
    elif kind == "google_search_call":
        yield EventType.SEARCH, {"queries": _strings(step, "queries")}
    elif kind == "url_context_call":
        yield EventType.READING, {"urls": _strings(step, "urls")}
    elif not kind.endswith(_QUIET):
        yield EventType.STEP, {"step_type": kind[:100]}


def _summary(step: Step) -> str:
    parts = step.get("summary")
    if isinstance(parts, str):
        return parts[:_TEXT_CHARACTERS]
    parts = parts if isinstance(parts, list) else []
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)[:_TEXT_CHARACTERS]


def _strings(step: Step, name: str) -> list[str]:
    arguments = step.get("arguments")
    values = arguments.get(name) if isinstance(arguments, dict) else None
    values = [values] if isinstance(values, str) else values
    given = values if isinstance(values, list) else []
    return [value[:_ITEM_CHARACTERS] for value in given if isinstance(value, str)][:_ITEMS]


def usage_of(usage: Mapping[str, Any] | None, steps: Sequence[Step]) -> Usage:
    """The service's count of tokens, and how many searches were made; runs of ours know what they cost less."""
    given = usage or {}
    return Usage(
        input_tokens=_count(given.get("total_input_tokens")),
        output_tokens=_count(given.get("total_output_tokens")),
        thought_tokens=_count(given.get("total_thought_tokens")),
        tool_use_tokens=_count(given.get("total_tool_use_tokens")),
        searches=_searches(given) or sum(len(_strings(s, "queries")) for s in steps if _is_search(s)),
        discount_micros=_count(given.get("discount_micros")),
    )


def _is_search(step: Step) -> bool:
    return step.get("type") == "google_search_call"


def _searches(usage: Mapping[str, Any]) -> int:
    counts = usage.get("grounding_tool_count")
    entries = [entry for entry in counts if isinstance(entry, dict)] if isinstance(counts, list) else []
    return sum(_count(entry.get("count")) for entry in entries if entry.get("type") == "google_search")


def _count(value: Any) -> int:
    return min(value, _COUNT) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
