"""Query parameters: each is declared, parsed and documented in one place; others are refused by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from shared.contracts.approvals import ApprovalStatus
from shared.contracts.brain_api import GRAPH_HOPS, GRAPH_HOPS_MAX, GRAPH_NODES, GRAPH_NODES_MAX, RECALL_CHARACTERS
from shared.contracts.days import day_of, moment_of
from shared.contracts.jobs import JobStatus
from shared.contracts.limits import (
    PAGE_SIZE,
    PAGE_SIZE_MAX,
    QUERY_CHARACTERS,
    SEARCH_HITS,
    SEARCH_HITS_MAX,
    TAG_CHARACTERS,
)
from shared.contracts.memory import (
    SUBJECT_CHARACTERS,
    ContradictionStatus,
    ItemKind,
    ItemStatus,
    RecordStatus,
    RecordType,
)
from shared.contracts.notes import NoteKind
from shared.contracts.operations import OperationStatus
from shared.contracts.runs import RunStatus
from shared.errors import InputError

Q_CHARACTERS = 200


class MultiMapping(Protocol):
    """Parsed query strings."""

    def lists(self) -> Any:
        """Pairs of a name and all its values."""


@dataclass(frozen=True)
class Parameter:
    """`parse` raises ValueError with what the value must be."""

    name: str
    description: str
    schema: Mapping[str, Any]
    parse: Callable[[str], Any]


def parse(given: MultiMapping, declared: tuple[Parameter, ...]) -> dict[str, Any]:
    """The values by name. Raises InputError for one that is unknown, given twice, or malformed."""
    known, values = {parameter.name: parameter for parameter in declared}, {}
    for name, texts in given.lists():
        if name not in known:
            names = ", ".join(known) or "none"
            raise InputError(f"{name[:100]}: no such query parameter, there are: {names}", field=name[:100])
        if len(texts) > 1:
            raise InputError(f"{name}: give it once", field=name)
        try:
            values[name] = known[name].parse(texts[0])
        except ValueError as error:
            raise InputError(f"{name}: {error}", field=name) from error
    return values


def _whole(most: int) -> Callable[[str], int]:
    def parse_whole(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= most):
            raise ValueError(f"must be a whole number from 1 to {most}")
        return int(text)

    return parse_whole


_MONTH = re.compile(r"20\d{2}-(0[1-9]|1[0-2])")


def _month(text: str) -> str:
    if not _MONTH.fullmatch(text):
        raise ValueError("must be a month such as 2026-11")
    return text


_DAY_SCHEMA = {"type": "string", "format": "date"}


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("must be true or false")
    return text == "true"


def _seq(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 8 and int(text) >= 1):
        raise ValueError("must be the number of an event")
    return int(text)


def _offset(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ValueError("must be a whole number from 0")
    return int(text)


_SHA256 = re.compile(r"[0-9a-f]{64}")


def _sha256(text: str) -> str:
    if not _SHA256.fullmatch(text):
        raise ValueError("must be 64 digits of a SHA-256")
    return text


def _text(longest: int) -> Callable[[str], str]:
    def parse_text(text: str) -> str:
        if not 1 <= len(text) <= longest or "\x00" in text:
            raise ValueError(f"must have 1 to {longest} characters")
        return text

    return parse_text


def _choice(*choices: str) -> Callable[[str], str]:
    def parse_choice(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse_choice


def _tag(text: str) -> str:
    return _text(TAG_CHARACTERS)(text.strip().lstrip("#").lower())


def _of(choices: type[StrEnum], name: str, description: str) -> Parameter:
    """A parameter whose value is a member."""
    parse_name = _choice(*(one.value for one in choices))
    schema = {"type": "string", "enum": [one.value for one in choices]}
    return Parameter(name, description, schema, lambda text: choices(parse_name(text)))


LIMIT = Parameter(
    "limit",
    "How many to answer.",
    {"type": "integer", "minimum": 1, "maximum": PAGE_SIZE_MAX, "default": PAGE_SIZE},
    _whole(PAGE_SIZE_MAX),
)
CURSOR = Parameter("cursor", "next_cursor of an earlier answer.", {"type": "string"}, _text(4000))
BEFORE_SEQ = Parameter("before", "Only events with a lower number than this.", {"type": "integer", "minimum": 1}, _seq)
HTML = Parameter(
    "html",
    "1: written text has its HTML beside it (data.html), and a stream tells finished blocks of it.",
    {"type": "string", "enum": ["0", "1"]},
    lambda text: _choice("0", "1")(text) == "1",
)
NOTE_KIND = Parameter(
    "kind",
    "Only notes of this kind.",
    {"type": "string", "enum": list(NoteKind)},
    _choice(*(kind.value for kind in NoteKind)),
)
TAG = Parameter("tag", "Only notes with this tag.", {"type": "string", "maxLength": TAG_CHARACTERS}, _tag)
Q = Parameter(
    "q",
    "Only notes with this text in the title or the first 100 KB of the body, whatever the case. One request looks at a "
    "few hundred notes; a page may be short or empty and next_cursor still go on.",
    {"type": "string", "maxLength": Q_CHARACTERS},
    _text(Q_CHARACTERS),
)
STATUS = Parameter(
    "status",
    "Only operations in this state.",
    {"type": "string", "enum": list(OperationStatus)},
    _choice(*(status.value for status in OperationStatus)),
)
OPERATION_KIND = Parameter("kind", "Only operations of this kind.", {"type": "string"}, _text(100))
SOURCE_NOTE = Parameter(
    "source_note_id",
    "Only operations about this note.",
    {"type": "string", "maxLength": 1500},
    _text(1500),
)
RUN_STATUS = Parameter(
    "status",
    "Only runs in this state.",
    {"type": "string", "enum": list(RunStatus)},
    _choice(*(status.value for status in RunStatus)),
)
SEARCH_Q = Parameter(
    "q",
    "What to look for; the last word also as the beginning of a word.",
    {"type": "string", "maxLength": QUERY_CHARACTERS},
    _text(QUERY_CHARACTERS),
)
SEARCH_LIMIT = Parameter(
    "limit",
    "How many hits to answer.",
    {"type": "integer", "minimum": 1, "maximum": SEARCH_HITS_MAX, "default": SEARCH_HITS},
    _whole(SEARCH_HITS_MAX),
)
DOCUMENT_ID = Parameter("document_id", "Only in this document.", {"type": "string", "maxLength": 1500}, _text(1500))
AFTER = Parameter("after", "Only notes written on this day (UTC) or later.", _DAY_SCHEMA, day_of)
BEFORE = Parameter("before", "Only notes written before this day (UTC).", _DAY_SCHEMA, day_of)
MONTH = Parameter(
    "month",
    "Of this month (UTC) instead of the present one.",
    {"type": "string", "pattern": _MONTH.pattern},
    _month,
)
DONE = Parameter("done", "Only open (false) or only done (true) tasks.", {"type": "boolean"}, _boolean)
DUE_BEFORE = Parameter("due_before", "Only tasks that are due before this day.", _DAY_SCHEMA, day_of)
APPROVAL_STATUS = Parameter(
    "status",
    "Only approvals in this state.",
    {"type": "string", "enum": list(ApprovalStatus)},
    _choice(*(status.value for status in ApprovalStatus)),
)
JOB_STATUS = _of(JobStatus, "status", "Only jobs in this state.")
JOB_KIND = Parameter("kind", "Only jobs of this agent.", {"type": "string"}, _text(100))
RECORD_TYPE = _of(RecordType, "type", "Only records of this type.")
RECORD_STATUS = _of(RecordStatus, "status", "Only records in this state; else all but those that were retracted.")
PINNED = Parameter("pinned", "Only pinned records (true), or only others (false).", {"type": "boolean"}, _boolean)
RECALL_Q = Parameter(
    "q",
    "Recall what bears on this, the best first, in one page: records that are current, or were at `as_of`.",
    {"type": "string", "maxLength": RECALL_CHARACTERS},
    _text(RECALL_CHARACTERS),
)
SUBJECT = Parameter(
    "subject",
    "Only what is about this subject, however it is written; in one page.",
    {"type": "string", "maxLength": SUBJECT_CHARACTERS},
    _text(SUBJECT_CHARACTERS),
)
AS_OF = Parameter(
    "as_of",
    "Only records that held then: at the end of a day (UTC), or at a moment as RFC 3339.",
    {"type": "string"},
    moment_of,
)
ITEM_KIND = _of(ItemKind, "kind", "Only items of this kind.")
ITEM_STATUS = _of(ItemStatus, "status", "Only items in this state.")
CONTRADICTION_STATUS = _of(ContradictionStatus, "status", "Only contradictions in this state.")
ABOUT = Parameter("about", "Around this node; else the nodes written last.", {"type": "string"}, _text(1500))
HOPS = Parameter(
    "hops",
    "How many steps from it.",
    {"type": "integer", "minimum": 1, "maximum": GRAPH_HOPS_MAX, "default": GRAPH_HOPS},
    _whole(GRAPH_HOPS_MAX),
)
GRAPH_LIMIT = Parameter(
    "limit",
    "How many nodes to answer.",
    {"type": "integer", "minimum": 1, "maximum": GRAPH_NODES_MAX, "default": GRAPH_NODES},
    _whole(GRAPH_NODES_MAX),
)
AT = Parameter("at", "The moment of the export, as RFC 3339.", {"type": "string", "format": "date-time"}, moment_of)
EXPORT_ID = Parameter("export_id", "The export that is being taken in.", {"type": "string"}, _text(64))
OBJECT_NAME = Parameter("name", "The name of the file, as it is listed.", {"type": "string"}, _text(900))
START = Parameter("start", "From this byte on.", {"type": "integer", "minimum": 0, "default": 0}, _offset)
SHA256 = Parameter("sha256", "Of the whole file.", {"type": "string", "pattern": _SHA256.pattern}, _sha256)
LAST_EVENT_ID = Parameter(
    "last_event_id",
    "What the header Last-Event-ID says, for clients that cannot set it.",
    {"type": "string"},
    _text(100),
)
EVENTS = (LAST_EVENT_ID, LIMIT)
"""Of each stream."""
