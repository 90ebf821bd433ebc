"""What holds for one task or one moment only: it must not become a trait."""

from __future__ import annotations

import re

from shared.contracts.memory import RecordType

_ONE_TASK = re.compile(
    r"\b(?:for|in|on|during|within) (?:this|the current|the present) (?:one |next )?(?:task|time|once|case|chat|"
    r"conversation|thread|session|answer|reply|message|e-?mail|mail|letter|summary|report|document|essay|text|note|draft|"
    r"list|table|code|function|file|question|exercise|job|request|project plan|presentation|translation|version)\b|"
    r"\bthis time\b|\bjust (?:this )?once\b|\bonly (?:this )?once\b|\bfor now\b|\bfor the (?:moment|time being)\b|"
    r"\b(?:here|below|above) (?:only|just)\b|\buntil (?:this|it) is done\b",
    re.I,
)
_ONE_MOMENT = re.compile(
    r"\b(?:today|tonight|right now|at the moment|just now|this (?:morning|afternoon|evening|week|weekend)|currently "
    r"(?:tired|hungry|busy|on my way|waiting))\b",
    re.I,
)
_ORDER = re.compile(
    r"^(?:please\s+|now\s+|and\s+|then\s+|ok(?:ay)?,?\s+)*(?:use|write|make|keep|give|show|list|send|add|remove|delete|put|"
    r"translate|summari[sz]e|answer|reply|respond|be|don['’]t|do not|do|create|find|search|look|tell|explain|format|"
    r"call|fetch|open|run|start|stop|set|change|rewrite|shorten|draft|check|include|avoid|stick|remember|forget|trust|"
    r"(?:can|could|would|will) you)\b",
    re.I,
)
_LASTING = re.compile(r"\b(?:always|never|from now on|in general|generally|every time|whenever|by default)\b", re.I)
_CHANGE = re.compile(
    r"\b(?:started|began|joined|moved|left|quit|resigned|became|bought|sold|married|signed|decided|got|turned|enrolled)\b",
    re.I,
)
"""What has changed on a day holds on."""
_TRAITS = frozenset([RecordType.PREFERENCE, RecordType.FACT, RecordType.SKILL, RecordType.RELATION])


def passing(sentence: str, kind: RecordType) -> bool:
    """Whether the sentence holds for one task or moment. What happened, or was decided, on a day may well last."""
    if _ONE_TASK.search(sentence):
        return kind is not RecordType.EVENT
    return kind in _TRAITS and _ONE_MOMENT.search(sentence) is not None and _CHANGE.search(sentence) is None


def an_order(sentence: str) -> bool:
    """Whether it has somebody do something now, such as a message to an assistant has; not what shall always be so."""
    return _ORDER.match(sentence.strip()) is not None and _LASTING.search(sentence) is None
