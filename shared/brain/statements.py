"""A statement as the code compares it, whether it is still a candidate or a record already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pydantic import ValidationError

from shared.contracts.memory import BlackboardItem, Candidate, Record, RecordType, SourceRef
from shared.memory.keys import key_of
from shared.search.languages import ANY_SMALL
from shared.search.stems import stems
from shared.search.words import words

_SAME_PROPERTY = {
    "employer": "company|workplace|work|works at|works for|employed by|place of work|job at",
    "occupation": "job|profession|job title|role at work|work as|works as",
    "residence": "home|lives in|city|city of residence|place of residence|location|home city|home town now|living in",
    "birthday": "date of birth|birth date|birthdate|born|born on|dob",
    "birthplace": "place of birth|born in",
    "email": "e mail|email address|e mail address|mail address",
    "phone": "phone number|telephone|telephone number|mobile|mobile number|cell phone",
    "spouse": "wife|husband|married to|partner|spouse name",
    "name": "full name|called|is called",
    "likes": "like|love|loves|enjoy|enjoys",
    "dislikes": "dislike|hate|hates|does not like",
    "prefers": "preference|prefer",
    "speaks": "language|languages|spoken language",
}
_SYNONYMS = {other: key for key, others in _SAME_PROPERTY.items() for other in others.split("|")}
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|cannot|without|nicht|nie|kein\w*|pas|jamais|nunca)\b|n['’]t\b", re.I
)
_DATES = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
_TELLING = frozenset(_DATES.split())
_GENERIC = frozenset(["person", "user", "someone", "somebody", "people", "owner", "says", "said", "states"])


@dataclass(frozen=True)
class Statement:
    """What is said of which property of whom, for how long, and when it was first said."""

    type: RecordType
    subject_key: str
    property_key: str
    object_key: str
    text: str
    valid_from: datetime | None
    valid_to: datetime | None
    said_at: datetime

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of the words that tell something."""
        return content(self.text)

    @cached_property
    def denies(self) -> bool:
        return _NEGATION.search(self.text) is not None

    @cached_property
    def telling(self) -> frozenset[str]:
        """Its numbers, months and days: where these differ, something else is said."""
        return frozenset(word for word in words(self.text) if word in _TELLING or any(map(str.isdigit, word)))


def of_item(item: BlackboardItem) -> Statement:
    """The statement of an item of kind candidate_record. Raises ValidationError where its payload is none."""
    return of_candidate(Candidate.model_validate(item.payload), item.evidence_refs, item.created_at)


def candidate_of(item: BlackboardItem) -> Candidate | None:
    """None for an item that is none."""
    try:
        return Candidate.model_validate(item.payload)
    except ValidationError:
        return None


def of_candidate(candidate: Candidate, evidence: Sequence[SourceRef], otherwise: datetime) -> Statement:
    return Statement(
        type=candidate.type,
        subject_key=key_of(candidate.subject),
        property_key=property_key(candidate.property),
        object_key=key_of(candidate.object),
        text=candidate.text,
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        said_at=_first_said(evidence, otherwise),
    )


def of_record(record: Record) -> Statement:
    return Statement(
        type=record.type,
        subject_key=record.subject_key,
        property_key=record.property_key,
        object_key=key_of(record.object),
        text=record.text,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        said_at=_first_said(record.sources, record.created_at),
    )


def property_key(text: str) -> str:
    """The property folded; names that people use for the same have the same key."""
    key = key_of(text)
    return _SYNONYMS.get(key, key)


def content(text: str) -> frozenset[str]:
    """The stems of the words of a text that tell something."""
    telling = (word for word in words(text) if word not in ANY_SMALL and word not in _GENERIC)
    return frozenset(stem for word in telling for stem in stems(word, ("english",)))


def _first_said(sources: Sequence[SourceRef], otherwise: datetime) -> datetime:
    return min((one.said_at for one in sources), default=otherwise)
