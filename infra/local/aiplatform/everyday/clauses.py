"""One message into the several things it asks for."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“]*“|«[^»]*»|`[^`]*`")
_VERBS = (
    "add|complete|create|do you|fetch|find|google|have i|label|list|look|make|mark|note|propose|put|read|remember|"
    "remind|research|save|"
    "search|set|show|start|suggest|summari[sz]e|tag|take|tell|tick|what|which|when|where|who|why|how|write"
)
_JOINT = re.compile(
    r"(?<=[.!?])\s+|\s*;\s*|\n+|\s*,?\s*\b(?:and then|then|and also)\b\s*|"
    rf"\s*(?:,|,?\s+and)\s+(?=(?:please\s+)?(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s{2,}|[^\S\n]")
_HELD = re.compile(r"\x00(\d+)\x00")
_POLITE = re.compile(
    r"^(?:(?:please|kindly|hey|hi|hello|ok(?:ay)?|so|also|and|then|now|(?:can|could|would|will) you(?: please)?|"
    r"i(?:'d| would) like you to|i want you to|let'?s)\b[\s,!]*)+",
    re.IGNORECASE,
)


def clauses(message: str) -> list[str]:
    """The parts of a message that each ask for one thing; what stands in quotes is never cut."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"\x00{len(held) - 1}\x00"

    unquoted = _QUOTED.sub(hold, message.replace("\x00", " "))
    pieces = _JOINT.split(_BLANKS.sub(_one_blank, unquoted))
    whole = [_HELD.sub(lambda match: held[int(match[1])], piece) for piece in pieces if piece]
    return [clause for piece in whole if (clause := plain(piece))]


def _one_blank(blanks: re.Match[str]) -> str:
    """Long runs of blanks are what the patterns of joints are slow at."""
    return "\n" if "\n" in blanks[0] else " "


def plain(clause: str) -> str:
    """Without what is only polite."""
    stripped = clause.strip().strip(",")
    return _POLITE.sub("", stripped).strip() or stripped
