"""Choosing the notes that may bear on a topic, by the words and tags they share with it, and the passages to show."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.contracts.notes import RESEARCH_TAGS, Note

NOTES = 12
EXCERPT_CHARACTERS = 4_000
_SHARED_TAG_WEIGHT = 3.0
_TITLE_WEIGHT = 2
_WORD = re.compile(r"[^\W_]{2,}")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "ly", "en", "er", "s", "e", "n")
_BODY_CHARACTERS = 100_000
_COMMON_WORDS = """
the and for are was were with that this these those from have has had not but you your its his her their our they them
what when where which who why how can could would should will than then there here into over under about also more most
some any all each very just only other such does did done been being because while between
der die das und ist sind mit von für auf den dem des ein eine einer nicht auch als wie bei aus nach zum zur
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True)
class Excerpt:
    """What a prompt shows of a note."""

    note_id: str
    title: str
    text: str


def related(topic: Note, notes: Iterable[Note]) -> list[Excerpt]:
    """At most NOTES other notes, the closest first; equal ones by id, so the same notes always give the same list."""
    others = [note for note in notes if note.id != topic.id]
    wanted = Counter(terms(f"{topic.title} {topic.body}"))
    documents = {note.id: _weighted(note) for note in others}
    rarity = _rarity(documents.values())
    scored = [(_score(topic, note, wanted, documents[note.id], rarity), note) for note in others]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].id))[:NOTES]
    return [Excerpt(note.id, note.title, excerpt(note.body, wanted, rarity)) for _, note in best]


def terms(text: str) -> list[str]:
    """The words of a text that carry meaning, cut to something like their stems."""
    words = (word.lower() for word in _WORD.findall(text[:_BODY_CHARACTERS]))
    return [_stem(word) for word in words if word not in _COMMON]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _weighted(note: Note) -> Counter[str]:
    counted = Counter(terms(note.body))
    for term in terms(note.title):
        counted[term] += _TITLE_WEIGHT
    return counted


def _rarity(documents: Iterable[Counter[str]]) -> dict[str, float]:
    """How much a term tells: less, the more notes have it."""
    every = list(documents)
    having = Counter(term for document in every for term in document)
    return {term: math.log(1 + len(every) / count) for term, count in having.items()}


def _score(topic: Note, note: Note, wanted: Counter[str], document: Counter[str], rarity: dict[str, float]) -> float:
    words = sum(rarity[term] * (1 + math.log(document[term])) for term in sorted(wanted.keys() & document.keys()))
    length = 1 + math.log(1 + document.total() / 200)
    tags = len(set(topic.tags) & set(note.tags) - set(RESEARCH_TAGS))
    return words / length + _SHARED_TAG_WEIGHT * tags


def excerpt(body: str, wanted: Counter[str], rarity: dict[str, float]) -> str:
    """The whole body if it is short, else its best paragraphs in their order, gaps marked."""
    if len(body) <= EXCERPT_CHARACTERS:
        return body.strip()
    paragraphs = _paragraphs(body[:_BODY_CHARACTERS])
    worth = [sum(rarity.get(t, 0.0) for t in set(terms(text)) & wanted.keys()) for text in paragraphs]
    ranked = sorted(range(len(paragraphs)), key=lambda place: (-worth[place], place))
    chosen, left = [], EXCERPT_CHARACTERS
    for place in ranked:
        if len(paragraphs[place]) + 5 <= left:
            chosen.append(place)
            left -= len(paragraphs[place]) + 5
    return _joined(paragraphs, sorted(chosen))


def _paragraphs(body: str) -> list[str]:
    """Paragraphs, the long ones in pieces that fit into an excerpt."""
    size = EXCERPT_CHARACTERS // 2
    whole = [text.strip() for text in re.split(r"\n\s*\n", body) if text.strip()]
    return [text[start : start + size] for text in whole for start in range(0, len(text), size)]


def _joined(paragraphs: Sequence[str], places: Sequence[int]) -> str:
    text, before = "", -1
    for place in places:
        gap = "" if place == 0 else "\n\n" if before == place - 1 and before >= 0 else " […]\n\n"
        text += f"{gap.lstrip() if not text and gap.isspace() else gap}{paragraphs[place]}"
        before = place
    return text if before == len(paragraphs) - 1 else f"{text} […]"
