"""Records that may still be told of: what is distilled from others is forgotten with them."""

from __future__ import annotations

from collections.abc import Sequence

from shared.contracts.memory import Record
from shared.store.record_search import CURRENT
from shared.store.workspace import WorkspaceStore


def lasting(store: WorkspaceStore, record_ids: Sequence[str]) -> list[Record]:
    """Those of the records that are there, current, and not excluded, in the order asked."""
    found = store.record_search.several(record_ids)
    return [found[one] for one in record_ids if one in found and CURRENT.allows(found[one])]
