"""workspaces/{workspace}/topics: what the records are about, a paragraph each, with the records it rests on."""

from __future__ import annotations

from shared.contracts.memory import Topic
from shared.ids import derived
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.documents import well_formed
from shared.store.writes import Write, delete, put, update

_OF_A_RECORD = 50


def topic_id(key: str) -> str:
    return derived("topic", key)


class Topics:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, limit: int) -> list[Topic]:
        """The last written first."""
        query = Query(limit, orders=(("updated_at", "DESCENDING"), ("__name__", "DESCENDING")))
        return list(well_formed(Topic, self._database.query("topics", query)))

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


def writing(topic: Topic) -> Write:
    """The whole of it, whatever was there."""
    return put(paths.topic(topic.id), topic.model_dump())


def removing(topic_id: str) -> Write:
    return delete(paths.topic(topic_id))
