"""Relevance by rule: how much of what a question asks for a record has, in words. It understands nothing."""

from __future__ import annotations

from shared.brain.agents.relevance_judge.schema import Judgement
from shared.contracts.recall import RecallHit
from shared.memory.keys import ME
from shared.search.query import parsed
from shared.search.words import words

_ASKING_TEXT = """
tell know remember remind find show give say said think many much long often old kind sort mean means name called like
currently now today ever still yet please thing things something anything
"""
_ASKING = frozenset(_ASKING_TEXT.split())
"""Words of questions that no record answers by having them."""
_ENOUGH = 0.5


def judged(query: str, hit: RecallHit) -> Judgement:
    """Relevant is what has at least half of the telling words, or is about whom the question names and has another."""
    telling = [one.word for one in parsed(query) if one.word not in _ASKING] or [one.word for one in parsed(query)]
    there = [word for word in telling if word in hit.matched]
    record = hit.record
    subject = [] if record.subject_key == ME else [word for word in words(record.subject) if word in telling]
    beyond = [word for word in there if word not in subject]
    enough = len(there) >= _ENOUGH * len(telling) and (bool(beyond) or len(telling) == len(there))
    if enough:
        return Judgement(id=record.id, relevant=True, why=f"It speaks of {_spoken(there)}.")
    if there:
        missing = [word for word in telling if word not in there]
        return Judgement(id=record.id, relevant=False, why=f"It has {_spoken(there)}, but not {_spoken(missing)}.")
    return Judgement(id=record.id, relevant=False, why="It lies near what was asked, and has none of its words.")


def _spoken(found: list[str]) -> str:
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
