"""The graph by rule: subject and object of a record, what the property joins them by, and the names in its text."""

from __future__ import annotations

import re

from shared.brain.agents.graph_extractor.schema import Drawn, Kind, Relation, Thing
from shared.contracts.memory import Record, RecordType
from shared.memory.keys import ME, key_of

_KINDS: dict[Kind, str] = {
    "person": "sister brother mother father wife husband partner friend colleague boss manager daughter son neighbour "
    "spouse child parent cousin aunt uncle married",
    "place": "city home lives moved residence birthplace born located location address country office",
    "organisation": "employer works company job school university studies bank",
}
_MENTIONED = "mentioned with"
_NAMES, _OBJECT_WORDS = 6, 4
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}")
_NO_NAMES_TEXT = """
i we he she it they you my our his her the a an this that on in at from since until if when and but
"""
_CALENDAR_TEXT = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december
"""
_CALENDAR = frozenset(_CALENDAR_TEXT.split())
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split()) | _CALENDAR
_SUBJECT_IS_A_PERSON = frozenset(_KINDS["person"].split()) | {
    "birthday",
    "age",
    "employer",
    "works",
    "job",
    "lives",
    "home",
}


def drawn(record: Record) -> Drawn:
    """What can be told of a record without understanding it."""
    subject = "me" if record.subject_key == ME else record.subject
    things = {key_of(subject): Thing(name=subject, kind=_subject_kind(record))}
    relations = []
    if _is_thing(record):
        things.setdefault(key_of(record.object), Thing(name=record.object, kind=_kind(record.property_key)))
        relations.append(Relation(source=subject, label=record.property or _MENTIONED, target=record.object))
    for name in _names(record.text):
        if not any(key_of(name) in key or key in key_of(name) for key in things if key):
            things[key_of(name)] = Thing(name=name)
            relations.append(Relation(source=subject, label=_MENTIONED, target=name))
    return Drawn(record=record.id, things=tuple(things.values()), relations=tuple(relations))


def is_date(key: str) -> bool:
    """Whether a key is of numbers, months and days of the week alone."""
    return all(word.isdigit() or word in _CALENDAR for word in key.split())


def _is_thing(record: Record) -> bool:
    """Whether the object is a short name: no date, no amount, and nothing that somebody does."""
    key = key_of(record.object)
    what_is_done = record.type in (RecordType.PLAN, RecordType.DECISION, RecordType.EVENT)
    return bool(key) and not what_is_done and len(key.split()) <= _OBJECT_WORDS and not _DIGIT.search(key)


def _names(text: str) -> list[str]:
    """Runs of capitalised words that do not begin a sentence with a small word."""
    found = []
    for match in _NAME.finditer(text):
        kept = [word for word in match[0].split() if word.lower() not in _NO_NAMES]
        begins = match.start() == 0 or text[: match.start()].rstrip().endswith((".", "!", "?"))
        if kept and not (begins and len(kept) == 1 and len(match[0].split()) == 1):
            found.append(" ".join(kept))
    return list(dict.fromkeys(found))[:_NAMES]


def _subject_kind(record: Record) -> Kind:
    if record.subject_key == ME or _SUBJECT_IS_A_PERSON & set(record.property_key.split()):
        return "person"
    return "thing"


def _kind(property_key: str) -> Kind:
    words = set(property_key.split())
    return next((kind for kind, telling in _KINDS.items() if words & set(telling.split())), "thing")
