"""workspaces/{workspace}/topics: what the records are about, a paragraph each, with the records it rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.contracts.memory import Topic
from shared.ids import derived
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.writes import Snapshot, Write, delete, update

_OF_A_RECORD = 50


def topic_id(key: str) -> str:
    return derived("topic", key)


class Topics:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def list(self, limit: int) -> list[Topic]:
        """The last written first."""
        query = Query(limit, orders=(("updated_at", "DESCENDING"), ("__name__", "DESCENDING")))
        return list(well_formed(Topic, self._database.query("topics", query)))

    def change(self, topic_id: str, decide: Callable[[Topic | None], Topic | None], *, point: str) -> bool:
        """Write what `decide` makes of the topic as it is; whether it was written."""

        def decided(current: Snapshot) -> Change | None:
            topic = decide(_topic_of(current))
            return None if topic is None else Change(topic.model_dump())

        return self._changing.change(paths.topic(topic_id), decided, point=point).changed

    def remove(self, topic_ids: Sequence[str]) -> None:
        if topic_ids:
            self._database.commit([delete(paths.topic(one)) for one in topic_ids], "topics.remove")

    def forgetting(self, record_id: str) -> tuple[Write, ...]:
        """The writes that take a record out: a topic's summary goes with it until it is made anew, and a topic that
        has no other record goes whole.
        """
        query = Query(_OF_A_RECORD, (("record_ids", "array_contains", record_id),))
        writes = []
        for found in self._database.query("topics", query):
            left = [one for one in (found.fields or {}).get("record_ids", ()) if one != record_id]
            changed = update(found.path, {"record_ids": left, "summary": ""}, found.update_time)
            writes.append(changed if left else delete(found.path, found.update_time))
        return tuple(writes)


def _topic_of(found: Snapshot) -> Topic | None:
    return None if found.fields is None else parsed(Topic, found.fields, found.path)
