"""What a pronoun, or a bare noun, at the beginning of a sentence stands for, where what is before leaves no doubt."""

from __future__ import annotations

import re

from shared.contracts.memory import Candidate, RecordType
from shared.memory.keys import ME, key_of

_PERSON = re.compile(r"^(He|She)\b")
_THING = re.compile(r"^It\b")
_WHOSE = re.compile(r"^(His|Her|Its)\b")
_BARE = re.compile(r"^The ([a-z][\w-]+)\b(?= (?:is|are|was|were|costs?|starts|begins|ends)\b)")
_CALLED = re.compile(r"\bcalled ([A-Z][\w'’-]+)")
_HELD = frozenset(["owns", "has"])
_MY_THING = re.compile(r"^(My [\w-]+(?: [\w-]+)?) (?:is|are)\b")


def topic(candidate: Candidate, sentence: str) -> str:
    """Whom or what a pronoun would mean behind this sentence; empty where that is not plain."""
    called = _CALLED.search(candidate.object)
    if candidate.property in _HELD and called:
        return f"The {called[1]}"
    if key_of(candidate.subject) != ME:
        return candidate.subject
    if candidate.type is RecordType.RELATION:
        return candidate.object
    owned = _MY_THING.match(sentence)
    return owned[1] if owned else ""


def told_of(sentence: str, told: str) -> str:
    """The sentence with the longer name of what it begins with: "the course" is the Danish course just told of."""
    noun = _BARE.match(sentence)
    if noun is None:
        return sentence
    longer = re.findall(rf"\b(?:an?|the|my|our) ((?:[\w-]+ ){{1,2}}{re.escape(noun[1])})\b", told, re.IGNORECASE)
    return f"The {longer[-1]}{sentence[noun.end() :]}" if len(set(longer)) == 1 else sentence


def named_again(sentence: str, before: str) -> str:
    """The sentence with the name for the pronoun. A person is somebody with a name, a thing is anything."""
    if not before:
        return sentence
    person = before[:1].isupper() and not before.startswith(("The ", "My ", "Our "))
    if person and _PERSON.match(sentence):
        return _PERSON.sub(before, sentence, count=1)
    if not person and _THING.match(sentence):
        return _THING.sub(before, sentence, count=1)
    whose = _WHOSE.match(sentence)
    if whose and (whose[1] == "Its" or person):
        return _WHOSE.sub(f"{before}'s", sentence, count=1)
    return sentence
