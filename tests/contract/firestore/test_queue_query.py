"""The query for due jobs: equalities and a range of one field, ordered by another field first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

JOBS = [("late", 50, 3), ("first", 90, 2), ("second", 50, 1), ("future", 99, 9), ("third", 50, 2), ("last", 10, 0)]


@pytest.mark.parametrize("limit", [2, 10])
def test_due_jobs_come_by_priority_then_by_time(
    firestore_client: firestore.Client, declare: Callable[..., None], limit: int
) -> None:
    declare("jobs", "status", "waiting_on", "-priority", "run_after")
    jobs = firestore_client.collection("jobs")
    for name, priority, run_after in JOBS:
        fields = {"status": "pending", "waiting_on": 0, "priority": priority, "run_after": run_after}
        jobs.document(name).set(fields)
        jobs.document(f"{name}-waits").set(fields | {"waiting_on": 1})
        jobs.document(f"{name}-done").set(fields | {"status": "done"})
    query = jobs.order_by("priority", direction="DESCENDING").order_by("run_after").limit(limit)
    for condition in (("status", "==", "pending"), ("waiting_on", "==", 0), ("run_after", "<=", 3)):
        query = query.where(filter=FieldFilter(*condition))

    assert [each.id for each in query.stream()] == ["first", "second", "third", "late", "last"][:limit]
