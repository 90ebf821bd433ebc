"""Which sentences of the notes bear on the topic: scored by overlap, without repeats, readable on their own."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from infra.local.aiplatform.prompt import Prompt
from infra.local.aiplatform.sentences import Sentence, sentences_of
from infra.local.aiplatform.terms import terms

_MOST_SENTENCES, _MOST_OF_A_NOTE = 28, 10
_RELATIVE_CUT = 0.22  # of the best score
_SAME = 0.75  # share of terms in common from which two sentences say the same
_LEANING = re.compile(
    r"(?:It|This|That|These|Those|They|He|She|Its|Their|Such|However|But|And|So|Then|Thus|Therefore|Instead|Also|"
    r"Here|There|Both|Another|Yet|Otherwise|Hence)\b"
)


@dataclass(frozen=True)
class Chosen:
    """A sentence and how well it fits; one that was taken along for its neighbour's sake scores 0."""

    sentence: Sentence
    score: float
    terms: frozenset[str]


def choose(prompt: Prompt) -> list[Chosen]:
    """The sentences for a report, best first; none when nothing in the notes overlaps with the topic."""
    everything = [sentence for note in prompt.notes if note.id for sentence in sentences_of(note)]
    scored = _scored(prompt, everything)
    if not scored:
        return []
    best = scored[0].score
    taken: list[Chosen] = []
    per_note: Counter[str] = Counter()
    for chosen in scored:
        note = chosen.sentence.note.id
        if chosen.score < best * _RELATIVE_CUT or len(taken) >= _MOST_SENTENCES:
            break
        if per_note[note] < _MOST_OF_A_NOTE and not any(_same(chosen, other) for other in taken):
            taken.append(chosen)
            per_note[note] += 1
    return _with_their_support(taken, everything)


def _scored(prompt: Prompt, sentences: Iterable[Sentence]) -> list[Chosen]:
    pool = [(sentence, terms(sentence.text)) for sentence in sentences]
    title, topic = terms(prompt.title), terms(prompt.title) | terms(prompt.topic)
    weights = _weights([found for _sentence, found in pool], topic)
    needed = 1 if len(topic) <= 3 else 2
    scored = []
    for sentence, found in pool:
        common = found & topic
        if len(common) + len(common & title) < needed:
            continue
        score = sum(weights[term] * (2 if term in title else 1) for term in common)
        scored.append(Chosen(sentence, score / math.sqrt(len(found) + 4), found))
    return sorted(scored, key=lambda chosen: -chosen.score)  # stable: equal ones keep the order of the notes


def _weights(pool: list[frozenset[str]], topic: frozenset[str]) -> Mapping[str, float]:
    """A term that few sentences have weighs more."""
    frequency = Counter(term for found in pool for term in found & topic)
    return {term: math.log(1 + len(pool) / count) for term, count in frequency.items()}


def _same(one: Chosen, other: Chosen) -> bool:
    if one.sentence.text == other.sentence.text:
        return True
    either = one.terms | other.terms
    return bool(either) and len(one.terms & other.terms) / len(either) >= _SAME


def _with_their_support(taken: list[Chosen], everything: list[Sentence]) -> list[Chosen]:
    """Put before each sentence that leans on its predecessor ("It …", "However …") that predecessor; else drop it."""
    known = {(chosen.sentence.note.id, chosen.sentence.place) for chosen in taken}
    by_place = {(sentence.note.id, sentence.place): sentence for sentence in everything}
    whole: list[Chosen] = []
    for chosen in taken:
        here = chosen.sentence
        if _LEANING.match(here.text):
            before = by_place.get((here.note.id, here.place - 1))
            if before is None or before.block != here.block:
                continue
            if (here.note.id, before.place) not in known:
                known.add((here.note.id, before.place))
                whole.append(Chosen(before, 0.0, terms(before.text)))
        whole.append(chosen)
    return whole
