"""Relevance by rule: how much of what a question asks for a record has, in words. It understands nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from shared.brain.agents.relevance_judge.schema import Judgement
from shared.contracts.memory import Record
from shared.contracts.recall import RecallHit
from shared.search.query import parsed
from shared.search.words import words

_ASKING_TEXT = """
tell know remember remind find show give say said think many much long often old kind sort mean means name called like
currently now today ever still yet please thing things something anything day days date time year place town who whose
"""
_ASKING = frozenset(_ASKING_TEXT.split())
"""Words of questions that no record answers by having them."""
_AND = re.compile(
    r",? (?:and|or) (?=(?:(?:on|in|at|for|with|to|by) )?(?:what|who|whom|whose|when|where|which|how|why)\b)", re.I
)
_NAME = re.compile(r"(?<=\s)[A-ZÀ-Þ][\w'’.-]*")


def judged(query: str, hit: RecallHit, as_of: datetime | None = None) -> Judgement:
    """Relevant is what has a name of the question, or is led to by one, and more than half of the other telling words.

    Of a question that asks for several things, of one of its parts. Of what held at a moment, a statement without a
    date that was only made later tells nothing.
    """
    if _only_later(hit.record, as_of):
        why = "It was said after that day, and not since when it holds."
        return Judgement(id=hit.record.id, relevant=False, why=why)
    parts = [_of_part(names, others, hit) for names, others in _parts(query)]
    return next((one for one in parts if one.relevant), parts[0])


def _parts(query: str) -> list[tuple[list[str], list[str]]]:
    """Names and other telling words of each part that has any; where it names nobody, it is about whom the whole names.

    One at least.
    """
    names, others = _telling(query)
    found = []
    for part in map(words, _AND.split(query)):
        own, telling = [one for one in names if one in part], [one for one in others if one in part]
        if own or telling:
            found.append((own or names, telling))
    return found or [(names, others)]


def _of_part(names: list[str], others: list[str], hit: RecallHit) -> Judgement:
    named = [word for word in names if word in hit.matched]
    there = [word for word in others if word in hit.matched]
    missing = [word for word in (*names, *others) if word not in hit.matched]
    right_one = bool(named) or not names or hit.linked
    enough = 2 * len(there) > len(others) or not others
    record_id = hit.record.id
    if right_one and enough and (named or there):
        return Judgement(id=record_id, relevant=True, why=f"It speaks of {_spoken([*named, *there])}.")
    if named or there:
        why = f"It has {_spoken([*named, *there])}, but not {_spoken(missing)}."
        return Judgement(id=record_id, relevant=False, why=why)
    return Judgement(id=record_id, relevant=False, why="It lies near what was asked, and has none of its words.")


def _telling(query: str) -> tuple[list[str], list[str]]:
    """The names in a question, which are capitalised inside of it, and its other words that tell; each folded."""
    wanted = [one.word for one in parsed(query)]
    capitalised = {word for match in _NAME.finditer(query) for word in words(match[0])}
    names = [word for word in wanted if word in capitalised]
    others = [word for word in wanted if word not in capitalised]
    return names, [word for word in others if word not in _ASKING] or ([] if names else others)


def _only_later(record: Record, as_of: datetime | None) -> bool:
    dated = record.valid_from is not None or record.valid_to is not None
    return as_of is not None and not dated and all(one.said_at > as_of for one in record.sources)


def _spoken(found: Sequence[str]) -> str:
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
