"""What the store hands on of a document, however it was found."""

from __future__ import annotations

from datetime import datetime

from shared.store.database import Database, Query
from shared.store.workspace import WorkspaceStore
from shared.store.writes import create


def test_the_times_of_a_document_are_datetimes_also_where_a_query_found_it(store: WorkspaceStore) -> None:
    database: Database = store.streams._database
    database.commit([create("things/one", {"v": 1})], "test")
    (queried,) = database.query("things", Query(limit=1))
    read = database.get("things/one")
    for found in (queried, read):
        assert all(isinstance(time, datetime) for time in (found.update_time, found.create_time, found.read_time))
    assert (queried.update_time, queried.create_time) == (read.update_time, read.create_time)
