"""Why something is remembered: the items of the blackboard it came from, all that was said of them, the jobs behind."""

from __future__ import annotations

from collections.abc import Iterable

from shared.contracts.brain_api import TrailCritique, TrailItem, WhyAnswer
from shared.contracts.jobs import MemoryJob
from shared.contracts.memory import BlackboardItem, Record
from shared.store.workspace import WorkspaceStore

ITEMS, CRITIQUES, JOBS = 50, 200, 100
"""So many are read at most; a record that was merged more often shows its first item and the newest."""
SUPERSEDED = 20


def why(store: WorkspaceStore, record_id: str) -> WhyAnswer:
    """The trail of a record; its sources are the record's own. Raises NotFound.

    Items and jobs that are gone are left out: the trail says what is known.
    """
    record = store.records.get(record_id)
    items = _items(store, record)
    said = store.blackboard.about([one.id for one in items], CRITIQUES)
    jobs = store.memory_jobs.several(_job_ids((*items, *said)))
    return WhyAnswer(
        record=record,
        trail=tuple(_trail(item, said, jobs) for item in items),
        supersedes=_superseded(store, record),
        superseded_by=store.records.find(record.superseded_by) if record.superseded_by else None,
        contradictions=tuple(store.contradictions.of_record(record_id)),
    )


def _items(store: WorkspaceStore, record: Record) -> list[BlackboardItem]:
    """The item it was made of, then those that were merged into it."""
    names = (record.source_blackboard_id, *record.merged_blackboard_ids[-(ITEMS - 1) :])
    found = store.blackboard.several(names)
    return [found[name] for name in dict.fromkeys(names) if name in found]


def _trail(item: BlackboardItem, said: Iterable[BlackboardItem], jobs: dict[str, MemoryJob]) -> TrailItem:
    critiques = (TrailCritique(item=one, job=jobs.get(one.source_job_id)) for one in said if one.about == item.id)
    return TrailItem(item=item, job=jobs.get(item.source_job_id), critiques=tuple(critiques))


def _job_ids(items: Iterable[BlackboardItem]) -> list[str]:
    return list(dict.fromkeys(one.source_job_id for one in items if one.source_job_id))[:JOBS]


def _superseded(store: WorkspaceStore, record: Record) -> tuple[Record, ...]:
    """What held until it."""
    found = store.records.several(record.supersedes[:SUPERSEDED])
    return tuple(found[one] for one in record.supersedes[:SUPERSEDED] if one in found)
