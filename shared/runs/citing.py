"""Tools whose answers can be cited: each source gets an id when it is first met, and the model is told it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.limits import STEP_SOURCES
from shared.contracts.runs import NumberedSource
from shared.contracts.sources import Source
from shared.llm.port import ToolSpec
from shared.tools.registry import Registry
from shared.tools.tool import Job

CITE = "cite_as"
"""Where an answer names the ids of its sources."""


def identity(source: Source) -> tuple[Any, ...]:
    """What makes two sources one: the note, the page of the document, or the address."""
    return (source.note_id, source.document_id, source.page, source.url)


class SourceTable:
    """The sources of one step; calls that run side by side number theirs in it."""

    def __init__(self, index: int, known: Sequence[NumberedSource]) -> None:
        self._index, self._lock = index, threading.Lock()
        self._known = {identity(one.source): one for one in known}

    def numbered(self, sources: Iterable[Source]) -> list[NumberedSource]:
        """Each source once, with its id; without those beyond STEP_SOURCES. A longer passage replaces a shorter one."""
        found: dict[str, NumberedSource] = {}
        with self._lock:
            for source in sources:
                name = identity(source)
                known = self._known.get(name)
                if known is None:
                    if len(self._known) >= STEP_SOURCES:
                        continue
                    known = NumberedSource(id=f"{self._index}.{len(self._known) + 1}", source=source)
                elif len(source.passage) > len(known.source.passage):
                    known = known.model_copy(update={"source": source})
                self._known[name] = found[known.id] = known
        return list(found.values())

    def all(self) -> list[NumberedSource]:
        with self._lock:
            return list(self._known.values())


@dataclass(frozen=True)
class CitedOutcome:
    """An outcome with the ids of its sources."""

    ok: bool
    result: Mapping[str, Any]
    seconds: float
    malformed: bool


class CitingTools:
    """A registry, or one tool of it, as a step uses it."""

    def __init__(self, registry: Registry, table: SourceTable, only: str | None = None) -> None:
        self._registry, self._table, self._only = registry, table, only

    def specs(self) -> Sequence[ToolSpec]:
        return [spec for spec in self._registry.specs() if self._only in (None, spec.name)]

    def call(self, job: Job, name: str, arguments: Mapping[str, Any]) -> CitedOutcome:
        outcome = self._registry.call(job, name, arguments)
        result = dict(outcome.result)
        if numbered := self._table.numbered(outcome.sources):
            result[CITE] = [{"id": f"[{one.id}]", "title": one.source.title[:200]} for one in numbered]
        return CitedOutcome(outcome.ok, result, outcome.seconds, outcome.malformed)
