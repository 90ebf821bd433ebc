"""Where a record comes from, kept through merging and rewriting: sources are added, and only forgetting takes one."""

from __future__ import annotations

from collections.abc import Iterable

from shared.brain.sentences import folded
from shared.contracts.memory import SOURCES_PER_RECORD, SourceRef


def joined(*sources: Iterable[SourceRef]) -> tuple[SourceRef, ...]:
    """All of them, each place once, in the order in which they were said; of too many the oldest and the newest."""
    every: dict[tuple[str, str, str], SourceRef] = {}
    for ref in (one for some in sources for one in some):
        name = (ref.kind.value, ref.id, folded(ref.quote))
        known = every.get(name)
        if known is None or ref.said_at < known.said_at:
            every[name] = ref
    found = sorted(every.values(), key=lambda one: (one.said_at, one.kind.value, one.id, one.start))
    if len(found) <= SOURCES_PER_RECORD:
        return tuple(found)
    half = SOURCES_PER_RECORD // 2
    return (*found[:half], *found[-half:])
