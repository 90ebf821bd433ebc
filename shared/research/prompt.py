"""The request for a research run: the instruction, the note, and what else the workspace knows about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from shared.config import Settings
from shared.contracts.limits import TITLE_CHARACTERS
from shared.contracts.notes import Note, NoteKind
from shared.contracts.operations import Operation
from shared.research.planning.phase import digest_of, makes_plan
from shared.research.planning.requesting import planned
from shared.research.related import Excerpt, related
from shared.store.notes import NotesWanted
from shared.store.workspace import WorkspaceStore

_TOPIC_CHARACTERS = 200_000
_GOAL_CHARACTERS = 6_000
AGENT = "agent"
"""The engine that is an agent run."""
_NOTES_LOOKED_AT = 200


@dataclass(frozen=True)
class Asked:
    """A request's body, and where it asks for a plan, of which state of the note."""

    body: dict[str, Any]
    note_digest: str = ""


class Prompts:
    """Builds create requests from what the workspace holds now."""

    def __init__(self, store: Callable[[str], WorkspaceStore], settings: Settings) -> None:
        self._store, self._settings = store, settings

    def asked(self, workspace: str, operation: Operation) -> Asked:
        """What interactions.create is sent, without the fields every create has. Raises NotFound without the note.

        Only what people captured is context: a report that cites an earlier report would launder its sources.
        """
        notes = self._store(workspace).notes
        topic = notes.get(operation.source_note_id)
        if self._settings.research_engine == AGENT:
            return Asked({"workspace": workspace, "operation_id": operation.id, "goal": goal(topic)})
        newest = notes.list(NotesWanted(limit=_NOTES_LOOKED_AT, kind=NoteKind.CAPTURE.value)).notes
        config: dict[str, Any] = {"type": "deep-research", "thinking_summaries": "auto"}
        if self._settings.research_backend == "gemini":
            config["visualization"] = "off"  # Vertex does not document it
        request = {
            "agent": self._settings.research_agent,
            "input": prompt(topic, related(topic, newest)),
            "agent_config": config,
        }
        if not operation.plan_first:
            return Asked(request)
        return Asked(planned(request, operation), digest_of(topic) if makes_plan(operation) else "")


def goal(topic: Note) -> str:
    """The goal of an agent run that researches the note; what else the notes know, its steps find."""
    head = f"Research what this note is about, and report on it with sources: {topic.title}".strip()
    return f"{head}\n\n{topic.body[:_GOAL_CHARACTERS]}".strip()


def prompt(topic: Note, notes: Sequence[Excerpt]) -> str:
    """One text. Titles and contents are escaped, so that nothing in a note can close its tag or open another."""
    blocks = [
        instruction(),
        f'<topic title="{_attribute(topic.title)}">\n{_content(topic.body[:_TOPIC_CHARACTERS])}\n</topic>',
        *(
            f'<note id="{_content(n.note_id)}" title="{_attribute(n.title)}">\n{_content(n.text)}\n</note>'
            for n in notes
        ),
    ]
    return "\n\n".join(blocks) + "\n"


@cache
def instruction() -> str:
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8").strip()


def _content(text: str) -> str:
    """What is no text for the service (lone surrogates) is replaced, as the store does."""
    return escape(text.encode(errors="replace").decode(), quote=True).replace("&#x27;", "'")


def _attribute(text: str) -> str:
    """On one line, and no longer than a title may be: a client may have written one of any length."""
    return _content(" ".join(text[:TITLE_CHARACTERS].split()))
