"""Statements by rule: sentences in English of a few plain forms. What has another form is left out, not guessed at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from shared.brain.agents.cognitive_extractor.forms import FORMS, Form
from shared.brain.agents.cognitive_extractor.schema import Proposal
from shared.brain.dates import WHEN, day_in
from shared.brain.sentences import Span, sentences
from shared.contracts.memory import Candidate

CONFIDENCE, HEDGED_CONFIDENCE = 0.7, 0.35
_SENTENCE_CHARACTERS = 300
"""A longer sentence is not plain."""
_OBJECT_CHARACTERS = 120
_DATED = frozenset(["employer", "residence", "event", "decision"])
_NEVER = re.compile(
    r"\?\s*$|^(?:if|maybe|perhaps|when|suppose|imagine|what|who|why|how|this|that|it|there|here|he|she|they|you)\b",
    re.I,
)
_HEDGED = re.compile(r"\b(?:would|might|could|i think|i guess|not sure|probably|supposedly|allegedly)\b", re.I)
_SINCE = re.compile(rf"\b(?:since|from|starting|as of) (?P<d>{WHEN})", re.I)
_UNTIL = re.compile(rf"\b(?:until|till|to|through|and) (?P<d>{WHEN})\s*[.!]*$", re.I)
_WHEN = re.compile(rf"\b(?:in|on) (?P<d>{WHEN})", re.I)


def proposals(text: str, said_at: datetime) -> Iterator[Proposal]:
    """What the plain sentences of a text state, in their order, each sentence once."""
    for place in sentences(text):
        sentence = " ".join(place.of(text).split())
        if len(sentence) > _SENTENCE_CHARACTERS or _NEVER.search(sentence):
            continue
        for form in FORMS:
            if (found := form.pattern.match(sentence)) is not None:
                yield _proposal(form, found, sentence, place, said_at)
                break


def _proposal(form: Form, found: re.Match[str], sentence: str, place: Span, said_at: datetime) -> Proposal:
    given = {name: (value or "").strip(" .!,;") for name, value in found.groupdict().items()}
    thing, name = given.get("o", ""), form.property.replace("{p}", given.get("p", "").lower())
    if name == "born":
        name = "birthday" if any(map(str.isdigit, thing)) else "birthplace"
    begin, end = _validity(form, name, sentence, given.get("d", ""), said_at)
    candidate = Candidate(
        type=form.type,
        subject=form.subject or given.get("s", ""),
        property=name,
        object=thing if len(thing) <= _OBJECT_CHARACTERS else "",
        text=sentence,
        valid_from=begin,
        valid_to=end,
    )
    confidence = HEDGED_CONFIDENCE if _HEDGED.search(sentence) else CONFIDENCE
    return Proposal(candidate, sentence, place, confidence)


def _validity(
    form: Form, name: str, sentence: str, day: str, said_at: datetime
) -> tuple[datetime | None, datetime | None]:
    """From when to when it holds, as far as the sentence says; what is over has ended by when it was said."""
    since, until = _SINCE.search(sentence), _UNTIL.search(sentence)
    begin = day_in(day, said_at) if day else None
    if begin is None and since is not None:
        begin = day_in(since["d"], said_at)
    if begin is None and name in _DATED and not form.over and (when := _WHEN.search(sentence)) is not None:
        begin = day_in(when["d"], said_at)
    end = day_in(until["d"], said_at) if until is not None and (form.over or since is not None) else None
    if form.over and end is None:
        end = said_at
    return (None if begin is not None and end is not None and end < begin else begin), end
