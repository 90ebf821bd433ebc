"""The part as a whole: its bill, its data over restarts, and how its streams end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.types import ListenRequest, ListenResponse

from infra.local.clock import VirtualClock
from infra.local.firestore.service import FirestorePart
from infra.local.meter import Meter

DATABASE = "projects/memex-local/databases/(default)"


class Served:
    """A part behind a gRPC server, and a client of it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.meter = Meter()
        self.part = FirestorePart(folder, VirtualClock(), self.meter, folder / "indexes.json")
        self.server = grpc.server(ThreadPoolExecutor(8))
        self.server.add_generic_rpc_handlers(tuple(self.part.handlers()))
        port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()
        self.part.start()
        self.address = f"127.0.0.1:{port}"
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", self.address)
        self.client = firestore.Client(project="memex-local")

    def billed(self) -> dict[str, float]:
        return {unit: amount for (service, unit), amount in self.meter.totals().items() if service == "firestore"}

    def close(self) -> None:
        self.client.close()
        self.part.close()
        assert self.server.stop(0).wait(10)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    served = Served(tmp_path, monkeypatch)
    yield served
    served.close()


def test_each_write_and_delete_is_billed(served: Served) -> None:
    batch = served.client.batch()
    batch.set(served.client.document("a/x"), {"n": 1})
    batch.set(served.client.document("a/x"), {"n": 1})
    batch.delete(served.client.document("a/none"))
    batch.commit()
    assert served.billed() == {"document_writes": 2, "document_deletes": 1}


def test_reads_are_billed_by_document_and_at_least_one(served: Served) -> None:
    client = served.client
    for number in range(3):
        client.document(f"a/d{number}").set({"n": number})
    for read, price in [
        (lambda: client.document("a/none").get(), 1),
        (lambda: list(client.collection("none").stream()), 1),
        (lambda: list(client.collection("a").stream()), 3),
        (lambda: list(client.collection("a").offset(2).stream()), 3),
        (lambda: client.collection("a").count().get(), 1),
    ]:
        before = served.billed().get("document_reads", 0)
        read()
        assert served.billed()["document_reads"] - before == price


def test_what_was_answered_is_there_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = Served(tmp_path, monkeypatch)
    written = served.client.document("a/x").set({"n": 1})
    served.close()
    served = Served(tmp_path, monkeypatch)
    snapshot = served.client.document("a/x").get()
    assert (snapshot.to_dict(), snapshot.update_time) == ({"n": 1}, written.update_time)
    served.close()


def test_projects_do_not_see_each_other(served: Served) -> None:
    served.client.document("a/x").set({"n": 1})
    other = firestore.Client(project="other")
    assert not other.document("a/x").get().exists
    assert list(other.collections()) == []
    assert list(other.collection_group("a").stream()) == []
    other.close()


def test_closing_ends_a_listener_at_once(served: Served) -> None:
    """By a plain call: Google's own listener opens its stream anew at once and for ever, a thread each time."""
    target = {"documents": {"documents": [f"{DATABASE}/documents/a/x"]}, "target_id": 1}
    requests: Queue[ListenRequest | None] = Queue()
    requests.put(ListenRequest(database=DATABASE, add_target=target))
    with grpc.insecure_channel(served.address) as channel:
        listen = channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen",
            request_serializer=ListenRequest.serialize,
            response_deserializer=ListenResponse.deserialize,
        )
        responses = listen(iter(requests.get, None), timeout=10)
        assert next(responses).target_change.target_ids == [1]
        served.part.close()
        with pytest.raises(grpc.RpcError) as ended:
            list(responses)
        requests.put(None)
    assert ended.value.code() is grpc.StatusCode.UNAVAILABLE


def test_methods_that_are_not_there_are_refused_by_name(served: Served) -> None:
    with pytest.raises(Exception, match="Firestore/PartitionQuery is not implemented"):
        list(served.client.collection_group("a").get_partitions(2))
