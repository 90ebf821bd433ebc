"""What goes with a record that is forgotten: everything that was made of it and tells it again."""

from __future__ import annotations

from datetime import datetime

from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write


def derived_writes(store: WorkspaceStore, record_id: str, at: datetime) -> tuple[Write, ...]:
    """The writes that take a record out of graph, topics, focus and identity, for the commit that deletes it.

    A text that was made of several records goes whole, since nobody can take one out of it; its maker makes it anew of
    the others. The writes hold for the state that was read: where one is refused, ask for them again.
    """
    return (
        *store.graph.forgetting(record_id, at),
        *store.topics.forgetting(record_id),
        *store.focus.forgetting(record_id, at),
        *store.identity.forgetting(record_id, at),
    )
