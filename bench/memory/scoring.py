"""From what is recalled to a score: exact, by words that must be there and words that must not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.memory.questions import KINDS, Question
from bench.tool_choice.scoring import Share
from shared.contracts.recall import RecallAnswer, RecallHit
from shared.search.words import folded


@dataclass(frozen=True)
class Scored:
    """One question: whether what was judged relevant is right, and whether what was found at all had the answer."""

    question: Question
    right: bool
    found: bool
    said: tuple[str, ...]
    """The texts that were judged relevant."""


def scored(question: Question, answer: RecallAnswer) -> Scored:
    relevant = [_text(hit) for hit in answer.hits if hit.relevant]
    found = _has(question.wanted, [_text(hit) for hit in answer.hits])
    if not question.wanted:
        return Scored(question, not relevant, not relevant, tuple(relevant))
    stale = any(_has((words,), relevant) for words in question.stale)
    return Scored(question, _has(question.wanted, relevant) and not stale, found, tuple(relevant))


def shares(results: Sequence[Scored]) -> list[tuple[str, Share, Share]]:
    """For each kind and in all: what it asks for, how many are right, and in how many the answer was found at all."""
    rows = []
    for kind, words in KINDS:
        of_kind = [one for one in results if one.question.kind == kind]
        rows.append((words, _share([one.right for one in of_kind]), _share([one.found for one in of_kind])))
    everything = _share([one.right for one in results]), _share([one.found for one in results])
    return [*rows, ("all", *everything)]


def _share(values: Sequence[bool]) -> Share:
    return Share(sum(values), len(values))


def _text(hit: RecallHit) -> str:
    record = hit.record
    return " ".join((record.text, record.object))


def _has(wanted: Sequence[str], texts: Sequence[str]) -> bool:
    together = folded(" | ".join(texts))
    return all(folded(words) in together for words in wanted)
