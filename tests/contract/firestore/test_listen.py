"""Listen, through the client's `on_snapshot`: first the state, then every change, once."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

DEADLINE = 15.0
Event = tuple[list[str], list[tuple[str, str]]]


@contextmanager
def listening(target: Any) -> Iterator[queue.Queue[Event]]:
    """A queue of (ids of all documents, changes as (type, id)) of what the listener is told."""
    events: queue.Queue[Event] = queue.Queue()

    def on_snapshot(documents: Any, changes: Any, _read_time: Any) -> None:
        found = [(change.type.name, change.document.id) for change in changes]
        events.put(([document.id for document in documents], found))

    watch = target.on_snapshot(on_snapshot)
    try:
        yield events
    finally:
        watch.unsubscribe()


def test_a_document_listener_hears_of_every_change(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("l/x")
    with listening(document) as events:
        assert events.get(timeout=DEADLINE) == ([], [])
        document.set({"n": 1})
        assert events.get(timeout=DEADLINE) == (["x"], [("ADDED", "x")])
        document.set({"n": 2})
        assert events.get(timeout=DEADLINE) == (["x"], [("MODIFIED", "x")])
        document.delete()
        assert events.get(timeout=DEADLINE) == ([], [("REMOVED", "x")])


def test_a_query_listener_hears_of_entering_and_leaving(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("l")
    collection.document("a").set({"n": 1})
    with listening(collection.where(filter=FieldFilter("n", ">", 0)).order_by("n")) as events:
        assert events.get(timeout=DEADLINE) == (["a"], [("ADDED", "a")])
        collection.document("b").set({"n": 0.5})
        assert events.get(timeout=DEADLINE) == (["b", "a"], [("ADDED", "b")])
        collection.document("a").update({"n": -1})
        assert events.get(timeout=DEADLINE) == (["b"], [("REMOVED", "a")])
        collection.document("elsewhere").set({"m": 1})
        collection.document("b").delete()
        assert events.get(timeout=DEADLINE) == ([], [("REMOVED", "b")])


def test_a_commit_is_heard_of_as_one(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("l")
    with listening(collection) as events:
        assert events.get(timeout=DEADLINE) == ([], [])
        batch = firestore_client.batch()
        for number in range(5):
            batch.set(collection.document(f"d{number}"), {"n": number})
        batch.commit()
        ids = [f"d{number}" for number in range(5)]
        assert events.get(timeout=DEADLINE) == (ids, [("ADDED", each) for each in ids])


def test_a_limited_listener_is_given_the_next_when_one_leaves(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("l")
    for number in range(4):
        collection.document(f"d{number}").set({"n": number})
    with listening(collection.order_by("n").limit(2)) as events:
        assert events.get(timeout=DEADLINE)[0] == ["d0", "d1"]
        collection.document("d0").delete()
        assert events.get(timeout=DEADLINE)[0] == ["d1", "d2"]
        collection.document("first").set({"n": -1})
        assert events.get(timeout=DEADLINE)[0] == ["first", "d1"]


def test_a_limited_listener_follows_large_batches(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("l")
    with listening(collection.order_by("n").limit(2)) as events:
        assert events.get(timeout=DEADLINE) == ([], [])
        for first in (200, 0):
            batch = firestore_client.batch()
            for number in range(first, first + 150):
                batch.set(collection.document(f"d{number:03}"), {"n": number})
            batch.commit()
            assert events.get(timeout=DEADLINE)[0] == [f"d{first:03}", f"d{first + 1:03}"]


def requests(client: firestore.Client, *items: dict[str, Any]) -> Iterator[Any]:
    for item in items:
        yield {"database": client._database_string, **item}


@pytest.fixture
def stream(firestore_client: firestore.Client) -> Iterator[Any]:
    """Opens raw Listen streams: `stream(target, ...)` gives the responses; all are cancelled at the end."""
    from google.cloud.firestore_v1.types import ListenRequest

    opened, ends = [], []

    def open_stream(*items: dict[str, Any]) -> Any:
        inbox: queue.Queue[Any] = queue.Queue()
        for item in items:
            inbox.put(ListenRequest(database=firestore_client._database_string, **item))
        metadata = [("google-cloud-resource-prefix", firestore_client._database_string)]
        call = firestore_client._firestore_api.transport.listen(iter(inbox.get, None), metadata=metadata, timeout=30)
        opened.append(call)
        ends.append(inbox)
        return call, inbox

    yield open_stream
    for call, inbox in zip(opened, ends, strict=True):
        inbox.put(None)
        call.cancel()


def until_current(call: Any) -> tuple[list[str], bytes]:
    """The ids that come before the next global NO_CHANGE, and its resume token."""
    found = []
    for response in call:
        if "document_change" in response:
            found.append(response.document_change.document.name.rsplit("/", 1)[1])
        elif "document_delete" in response:
            found.append("-" + response.document_delete.document.rsplit("/", 1)[1])
        elif response.target_change.target_change_type.name == "NO_CHANGE" and not response.target_change.target_ids:
            return found, response.target_change.resume_token
    raise AssertionError("the stream ended")


def everything(client: firestore.Client, target_id: int, **more: Any) -> dict[str, Any]:
    query = client.collection("l")._query()._to_protobuf()
    parent = f"{client._database_string}/documents"
    return {"add_target": {"query": {"parent": parent, "structured_query": query}, "target_id": target_id, **more}}


def test_a_resumed_target_is_told_only_what_it_missed(firestore_client: firestore.Client, stream: Any) -> None:
    for number in range(3):
        firestore_client.document(f"l/d{number}").set({"n": number})
    call, _ = stream(everything(firestore_client, 7))
    found, token = until_current(call)
    assert sorted(found) == ["d0", "d1", "d2"]
    call.cancel()
    firestore_client.document("l/d1").update({"n": 9})
    firestore_client.document("l/d2").delete()
    call, _ = stream(everything(firestore_client, 7, resume_token=token))
    found, _ = until_current(call)
    assert sorted(found) == ["-d2", "d1"]


def test_a_removed_target_is_confirmed_and_silent(firestore_client: firestore.Client, stream: Any) -> None:
    from google.cloud.firestore_v1.types import ListenRequest

    call, inbox = stream(everything(firestore_client, 5))
    until_current(call)
    inbox.put(ListenRequest(database=firestore_client._database_string, remove_target=5))
    response = next(call)
    assert response.target_change.target_change_type.name == "REMOVE"
    assert list(response.target_change.target_ids) == [5]
    assert not response.target_change.cause.code


def test_two_targets_of_one_stream_are_told_apart(firestore_client: firestore.Client, stream: Any) -> None:
    document = f"{firestore_client._database_string}/documents/l/x"
    named = {"add_target": {"documents": {"documents": [document]}, "target_id": 8}}
    call, _ = stream(everything(firestore_client, 6), named)
    until_current(call)
    until_current(call)
    firestore_client.document("l/x").set({"n": 1})
    told: set[int] = set()
    while told != {6, 8}:
        response = next(call)
        if "document_change" in response:
            told |= set(response.document_change.target_ids)


def test_a_target_that_cannot_be_served_is_removed_with_its_cause(
    firestore_client: firestore.Client, stream: Any
) -> None:
    target = everything(firestore_client, 3)
    target["add_target"]["query"]["structured_query"].offset = -1
    call, _ = stream(target)
    changes = (next(call).target_change for _ in range(2))
    removed = next(change for change in changes if change.target_change_type.name == "REMOVE")
    assert removed.cause.code == 3
