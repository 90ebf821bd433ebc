"""Statements by rule: sentences in English of a few plain forms. What has another form is left out, not guessed at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from shared.brain.agents.cognitive_extractor.forms import FORMS, Form
from shared.brain.agents.cognitive_extractor.naming import named_again, told_of, topic
from shared.brain.agents.cognitive_extractor.schema import Proposal
from shared.brain.agents.cognitive_extractor.vocabulary import RELATIONS
from shared.brain.dates import WHEN, day_in
from shared.brain.sentences import Span, sentences
from shared.contracts.memory import Candidate

CONFIDENCE, HEDGED_CONFIDENCE = 0.7, 0.35
_SENTENCE_CHARACTERS = 300
"""A longer sentence is not plain."""
_OBJECT_CHARACTERS = 120
_BEHIND_COLON = re.compile(r"^(?:\S+ ){2,}[a-z]\S*: (.+)$")
"""Behind a clause, never behind a name: that says who is speaking."""
_DATE_FIRST = re.compile(
    rf"(?:From|Since|Starting(?: in| on)?|As of|In|On|By) (?P<d>{WHEN}|January|February|March|April|June|July|August|"
    r"September|October|November|December)(?: on)?,? "
)
_TOLD_CHARACTERS = 600
"""So far back a sentence says which one it means."""
_RELATED = re.compile(rf"(?:My|Our) (?:{RELATIONS}) ([A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?)$")
_DATED = frozenset(["employer", "residence", "event", "decision"])
_NEVER = re.compile(
    r"\?\s*$|^(?:if|maybe|perhaps|when|suppose|imagine|what|who|why|how|this|that|it|there|here|he|she|they|you)\b",
    re.I,
)
_HEDGED = re.compile(r"\b(?:would|might|could|i think|i guess|not sure|probably|supposedly|allegedly)\b", re.I)
_SINCE = re.compile(rf"\b(?:since|from|starting|as of) (?P<d>{WHEN})", re.I)
_UNTIL = re.compile(rf"\b(?:until|till|to|through|and) (?P<d>{WHEN})\s*[.!]*$", re.I)
_WHEN = re.compile(rf"\b(?:in|on) (?P<d>{WHEN})", re.I)


@dataclass(frozen=True)
class _Found:
    """A sentence of a form; `date` is the one that stands before it."""

    form: Form
    match: re.Match[str]
    sentence: str
    date: str = ""

    @property
    def groups(self) -> dict[str, str]:
        return {name: (value or "").strip(" .!,;") for name, value in self.match.groupdict().items()}


def proposals(text: str, said_at: datetime) -> Iterator[Proposal]:
    """What the plain sentences of a text state, in their order, each sentence once.

    A pronoun at the beginning of a sentence stands for what the sentence before was about.
    """
    before, told = "", ""
    for place in sentences(text):
        sentence = " ".join(place.of(text).split())
        stated = told_of(named_again(sentence, before), told)
        told = f"{told} {sentence}"[-_TOLD_CHARACTERS:]
        found = _found(stated) if len(stated) <= _SENTENCE_CHARACTERS else None
        if found is not None:
            proposal = _proposal(found, sentence, place, said_at)
            before = topic(proposal.candidate, found.sentence) or before
            yield proposal


def _found(sentence: str) -> _Found | None:
    """The form of what is said behind a colon, or of the whole sentence, with or without the date it begins with."""
    if _NEVER.search(sentence):
        return None
    for part in (*_BEHIND_COLON.findall(sentence), sentence):
        stated = part[:1].upper() + part[1:]
        dated = _DATE_FIRST.match(stated)
        bare = stated[dated.end() :] if dated else stated
        for form in FORMS:
            if (match := form.pattern.match(stated)) is not None:
                return _Found(form, match, stated)
            if dated and (match := form.pattern.match(bare[:1].upper() + bare[1:])) is not None:
                return _Found(form, match, stated, dated["d"])
    return None


def _proposal(found: _Found, sentence: str, place: Span, said_at: datetime) -> Proposal:
    form, given = found.form, found.groups
    thing, name = given.get("o", ""), form.property.replace("{p}", _plain(given.get("p", "")))
    if name == "born":
        name = "birthday" if any(map(str.isdigit, thing)) else "birthplace"
    begin, end = _validity(form, name, found.sentence, given.get("d", "") or found.date, said_at)
    candidate = Candidate(
        type=form.type,
        subject=form.subject or _named(given.get("s", "")),
        property=name,
        object=thing if len(thing) <= _OBJECT_CHARACTERS else "",
        text=found.sentence,
        valid_from=begin,
        valid_to=end,
    )
    confidence = HEDGED_CONFIDENCE if _HEDGED.search(found.sentence) else CONFIDENCE
    return Proposal(candidate, sentence, place, confidence)


def _plain(name: str) -> str:
    """What a property is called when it is no longer new."""
    return re.sub(r"^(?:new|current|present) ", "", name.lower())


def _named(subject: str) -> str:
    """Somebody who is called by relation and name goes by the name."""
    related = _RELATED.match(subject)
    return related[1] if related else subject


def _validity(
    form: Form, name: str, sentence: str, day: str, said_at: datetime
) -> tuple[datetime | None, datetime | None]:
    """From when to when it holds, as far as the sentence says; what is over has ended by when it was said."""
    since, until = _SINCE.search(sentence), _UNTIL.search(sentence)
    begin = day_in(day, said_at) or day_in(f"1 {day}", said_at) if day else None
    if begin is None and since is not None:
        begin = day_in(since["d"], said_at)
    if begin is None and name in _DATED and not form.over and (when := _WHEN.search(sentence)) is not None:
        begin = day_in(when["d"], said_at)
    end = day_in(until["d"], said_at) if until is not None and (form.over or since is not None) else None
    if form.over and end is None:
        end = said_at
    return (None if begin is not None and end is not None and end < begin else begin), end
