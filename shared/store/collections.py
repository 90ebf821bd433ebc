"""The collections of a workspace, in one list: what lies in each, and whether it goes with an export."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kept(StrEnum):
    """What becomes of a collection when its workspace is exported."""

    WHOLE = "whole"
    ACCESS = "access"
    """Exported; taken in again only where that is asked for: who may come in, and what they may use."""
    LEFT_OUT = "left_out"


@dataclass(frozen=True)
class Collection:
    """`pattern` is the path below the workspace, with * for each id: notes/*/events."""

    pattern: str
    kept: Kept = Kept.WHOLE
    why: str = ""
    """Of one that is left out."""

    @property
    def id(self) -> str:
        """The last segment: collections of one id are read, and written to one file, together."""
        return self.pattern.rpartition("/")[2]


_REBUILT = "The next turn of the conversation puts it together anew (docs/sessions.md)."
_WRITTEN = "It is there only while a turn runs, and no turn runs in an export."

COLLECTIONS: tuple[Collection, ...] = (
    Collection("effects"),
    Collection("leases"),
    Collection("members", Kept.ACCESS),
    Collection("usage/*/shards"),
    Collection("brain_counts"),
    Collection("notes/*/parts"),
    Collection("notes/*/events"),
    Collection("operations/*/events"),
    Collection("chat_sessions/*/events"),
    Collection("agent_runs/*/events"),
    Collection("agent_runs/*/steps/*/events"),
    Collection("brain/*/events"),
    Collection("chat_sessions/*/turns/*/answers"),
    Collection("agent_runs/*/steps/*/answers"),
    Collection("chat_sessions/*/turns"),
    Collection("chat_sessions/*/drafts", Kept.LEFT_OUT, _WRITTEN),
    Collection("agent_runs/*/steps"),
    Collection("documents/*/chunks"),
    Collection("documents/*/summaries"),
    Collection("chunk_index"),
    Collection("checkpoints", Kept.LEFT_OUT, _REBUILT),
    Collection("checkpoints/*/parts", Kept.LEFT_OUT, _REBUILT),
    Collection("operations"),
    Collection("agent_runs"),
    Collection("chat_sessions"),
    Collection("documents"),
    Collection("notes"),
    Collection("note_index"),
    Collection("trash"),
    Collection("tasks"),
    Collection("approvals"),
    Collection("records"),
    Collection("nodes"),
    Collection("edges"),
    Collection("contradictions"),
    Collection("topics"),
    Collection("focus"),
    Collection("identity"),
    Collection("blackboard"),
    Collection("brain"),
    Collection("memory_jobs"),
)
"""In the order in which an import writes them: what others point at comes before them, a body's parts before its note.

A collection that a test finds in paths.py or in a workspace, and not here, fails that test.
"""

IDS: tuple[str, ...] = tuple(dict.fromkeys(one.id for one in COLLECTIONS if one.kept is not Kept.LEFT_OUT))
"""The ids of those that are exported, each once: the files of an export."""

OWN = ("members", "leases", "effects", "brain_counts", "usage")
"""Top collections that a workspace may have before anybody has put anything in."""

_BY_PATTERN = {one.pattern: one for one in COLLECTIONS}


def collection_of(path: str) -> Collection | None:
    """The collection of the document at a path below the workspace; None for one that is not listed."""
    segments = path.split("/")
    if len(segments) % 2 or not all(segments):
        return None
    return _BY_PATTERN.get("/".join(part if n % 2 == 0 else "*" for n, part in enumerate(segments[:-1])))


def tops() -> frozenset[str]:
    """The collections that lie directly below a workspace, of whatever kind."""
    return frozenset(one.pattern.partition("/")[0] for one in COLLECTIONS)
