"""Which sentences of the notes bear on the topic: scored by overlap, without repeats, readable on their own."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from infra.local.aiplatform.prompt import Prompt
from infra.local.aiplatform.rarity import Rarity
from infra.local.aiplatform.sentences import Sentence, sentences_of
from infra.local.aiplatform.terms import terms

_MOST_SENTENCES, _MOST_OF_A_NOTE = 28, 10
_RELATIVE_CUT = 0.22  # of the best score
_NOTE_CUT = 0.12  # of the fit of the best note
_TITLE = 2.5  # a word of the title counts that often
_REPEATED = 0.3  # what a sentence is worth that the topic itself says: the note that asks is no answer
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


@dataclass(frozen=True)
class Selection:
    """The sentences chosen, best first; `rarity` is that of all sentences of the notes."""

    chosen: list[Chosen]
    rarity: Rarity


def choose(prompt: Prompt) -> Selection:
    """The sentences for a report; none when nothing in the notes overlaps with the topic."""
    pool = [(sentence, terms(sentence.text)) for note in prompt.notes if note.id for sentence in sentences_of(note)]
    rarity = Rarity([found for _sentence, found in pool])
    scored = _scored(prompt, pool, rarity)
    taken: list[Chosen] = []
    per_note: Counter[str] = Counter()
    for chosen in scored:
        note = chosen.sentence.note.id
        if chosen.score < scored[0].score * _RELATIVE_CUT or len(taken) >= _MOST_SENTENCES:
            break
        if per_note[note] < _MOST_OF_A_NOTE and not any(_same(chosen, other) for other in taken):
            taken.append(chosen)
            per_note[note] += 1
    return Selection(_with_their_support(taken, [sentence for sentence, _found in pool]), rarity)


def _scored(prompt: Prompt, pool: list[tuple[Sentence, frozenset[str]]], rarity: Rarity) -> list[Chosen]:
    """Every sentence that bears on the topic; one from a note that as a whole fits better scores higher."""
    title = terms(prompt.title)
    topic = title | terms(prompt.topic)
    needed = 1 if len(topic) <= 3 else 2
    fit = _fit_of_notes(prompt, topic, rarity)
    asked = _plain(prompt.topic)
    scored = []
    for sentence, found in pool:
        common = found & topic
        if len(common) + len(common & title) < needed or fit[sentence.note.id] < _NOTE_CUT:
            continue
        score = rarity.total(common) + (_TITLE - 1) * rarity.total(common & title)
        score *= (0.5 + fit[sentence.note.id]) / math.sqrt(len(found) + 6)
        if _plain(sentence.text) in asked:
            score *= _REPEATED
        scored.append(Chosen(sentence, score, found))
    return sorted(scored, key=lambda chosen: -chosen.score)  # stable: equal ones keep the order of the notes


def _fit_of_notes(prompt: Prompt, topic: frozenset[str], rarity: Rarity) -> Mapping[str, float]:
    """How well each note fits the topic, next to the note that fits best: from 0 to 1."""
    shares = {note.id: rarity.share(topic, terms(f"{note.title}\n{note.text}")) for note in prompt.notes}
    asked = _plain(prompt.topic)
    others = [shares[note.id] for note in prompt.notes if _plain(note.text)[:200] not in asked]
    best = max(others, default=0.0) or 1.0
    return {note: min(1.0, share / best) for note, share in shares.items()}


def _plain(text: str) -> str:
    return " ".join(text.split())


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
