"""When two statements say the same, by rule; and when a judge who says that they do cannot be followed."""

from __future__ import annotations

from shared.brain.sentences import folded
from shared.brain.statements import Statement, of_item, of_record
from shared.brain.supersession import overlap
from shared.contracts.memory import BlackboardItem, Record

_SHARE, _SHARE_ACROSS = 0.8, 0.9
"""How much of their words two texts have in common; more where even the properties are named differently."""


def same(one: Statement, other: Statement) -> bool:
    """Whether they say the same of the same subject for the same time."""
    if one.subject_key != other.subject_key or differs(one, other):
        return False
    if one.property_key == other.property_key and one.object_key and other.object_key:
        return one.object_key == other.object_key and bool(one.property_key or common(one, other) >= _SHARE)
    across = bool(one.property_key and other.property_key and one.property_key != other.property_key)
    return common(one, other) >= (_SHARE_ACROSS if across else _SHARE)


def differs(one: Statement, other: Statement) -> str:
    """What sets them apart beyond doubt, as a sentence; empty where nothing does."""
    if one.denies != other.denies:
        return "One of them denies what the other says."
    if one.telling and other.telling and one.telling != other.telling:
        return "Their numbers or dates differ."
    if not overlap(one, other):
        return "They hold at different times."
    if not _one_subject(one.subject_key, other.subject_key):
        return "They are about different subjects."
    return ""


def common(one: Statement, other: Statement) -> float:
    """The share of their words that both have, 0 to 1."""
    either = one.stems | other.stems
    return len(one.stems & other.stems) / len(either) if either else 0.0


def _one_subject(one: str, other: str) -> bool:
    """Equal, or a name and a longer form of it."""
    first, second = set(one.split()), set(other.split())
    return one == other or (bool(first and second) and (first <= second or second <= first))


def repeats(item: BlackboardItem, record: Record) -> bool:
    """Whether the candidate is of words that the record rests on: a text that is read anew says nothing new.

    Such words keep what became of them, whatever that was.
    """
    new = of_item(item)
    old = of_record(record)
    if new.subject_key != old.subject_key or (new.object_key and old.object_key and new.object_key != old.object_key):
        return False
    told = common(new, old) >= _SHARE or bool(new.property_key and new.property_key == old.property_key)
    quoted = {(one.kind, one.id, folded(one.quote)) for one in record.sources if one.quote}
    return told and any((one.kind, one.id, folded(one.quote)) in quoted for one in item.evidence_refs)
