"""The local cloud as a whole, with small functions of its own and the real client libraries."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport

from infra.local.clock import VirtualClock
from infra.local.cloud import Addresses, CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from infra.local.files import DataInUse
from infra.local.ports import PortTaken
from tests.support.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parents[3] / "support" / "functions_root"
Start = Callable[..., tuple[LocalCloud, Addresses]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a local cloud on the probe functions; it is closed at the end."""
    with ExitStack() as ends:

        def started(**options: Any) -> tuple[LocalCloud, Addresses]:
            env = {"PROBE_RECORDS": str(tmp_path), **options.pop("env", {})}
            options.setdefault("functions", "inline")
            options.setdefault("retry", RetryPolicy(min_seconds=0.1))
            cloud = LocalCloud(CloudConfig(ROOT, env=env, **options))
            ends.callback(cloud.close)
            return cloud, cloud.start()

        yield started


def documents(address: str) -> firestore.Client:
    """A client of the database that sees an error at its first occurrence."""
    client = firestore.Client(project="memex-local", credentials=AnonymousCredentials())
    transport = FirestoreGrpcTransport(channel=grpc.insecure_channel(address))
    client._firestore_api_internal = FirestoreClient(transport=transport)
    return client


def recorded(tmp_path: Path) -> list[dict[str, Any]]:
    file = tmp_path / "events.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def get(addresses: Addresses, path: str, **options: Any) -> httpx.Response:
    return httpx.get(addresses.http + path, trust_env=False, timeout=PATIENCE_SECONDS, **options)


def test_a_written_document_reaches_every_function_that_is_triggered_by_it(start: Start, tmp_path: Path) -> None:
    cloud, addresses = start()
    documents(addresses.grpc).document("workspaces/demo/notes/1").set({"a": 1})
    wait_until(lambda: len(recorded(tmp_path)) == 2)
    written, created = sorted(recorded(tmp_path), key=lambda event: event["function"], reverse=True)
    assert (written["function"], created["function"]) == ("on_document", "on_created")
    assert written["id"] == created["id"]
    assert written["document"] == "workspaces/demo/notes/1"
    wait_until(lambda: cloud.triggers.eventarc.idle)
    assert cloud.triggers.eventarc.counts() == {"on-document": {"delivered": 1}, "on-created": {"delivered": 1}}


def test_a_write_that_changes_nothing_reaches_no_function(start: Start, tmp_path: Path) -> None:
    cloud, addresses = start()
    document = documents(addresses.grpc).document("workspaces/demo/notes/1")
    document.set({"a": 1})
    document.set({"a": 1})
    document.set({"a": 2})
    wait_until(lambda: cloud.triggers.eventarc.idle)
    assert len(recorded(tmp_path)) == 3


def test_a_published_message_reaches_the_function_of_its_topic(start: Start, tmp_path: Path) -> None:
    cloud, _ = start()
    topic = "projects/memex-local/topics/things"
    number = cloud.services.pubsub.publish(topic, b"hello", kind="greeting")
    wait_until(lambda: recorded(tmp_path))
    (event,) = recorded(tmp_path)
    assert event["type"] == "google.cloud.pubsub.topic.v1.messagePublished"
    assert event["source"] == f"//pubsub.googleapis.com/{topic}"
    assert event["id"] == number
    assert event["data"]["subscription"] == "projects/memex-local/subscriptions/eventarc-on-message"
    message = event["data"]["message"]
    assert (message["data"], message["attributes"]) == ("aGVsbG8=", {"kind": "greeting"})


def test_functions_in_a_process_are_replaced_when_killed_and_events_still_arrive(start: Start, tmp_path: Path) -> None:
    cloud, addresses = start(functions="process")
    assert cloud.host is not None
    first = cloud.host.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    documents(addresses.grpc).document("workspaces/demo/notes/1").set({"a": 1})
    wait_until(lambda: len(recorded(tmp_path)) >= 2)
    assert cloud.host.pid != first
    wait_until(lambda: get(addresses, "/_cloud/health").json()["host"]["restarts"] == 1)


def test_a_call_whose_host_dies_is_answered_503(start: Start) -> None:
    _, addresses = start(functions="process")
    assert get(addresses, "/probe/die").status_code == 503
    assert get(addresses, "/probe/echo").status_code == 200


def test_what_was_written_without_functions_is_delivered_when_they_are_back(start: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    cloud, addresses = start(data_dir=data, functions="none")
    documents(addresses.grpc).document("workspaces/demo/notes/1").set({"a": 1})
    assert get(addresses, "/probe/echo").status_code == 503
    cloud.close()
    start(data_dir=data)
    wait_until(lambda: len(recorded(tmp_path)) == 2)


def test_token_ports_documents_and_counts_outlive_a_restart(start: Start, tmp_path: Path) -> None:
    cloud, before = start(data_dir=tmp_path / "data", functions="none")
    documents(before.grpc).document("things/1").set({"a": 1})
    counted = cloud.seams.meter.totals()["firestore", "document_writes"]
    cloud.close()
    again, after = start(data_dir=tmp_path / "data", functions="none")
    assert after == before
    assert documents(after.grpc).document("things/1").get().to_dict() == {"a": 1}
    assert again.seams.meter.totals()["firestore", "document_writes"] == counted
    assert (tmp_path / "data" / "token").stat().st_mode & 0o077 == 0


def test_a_kept_port_that_is_taken_gives_way_to_a_free_one(start: Start, tmp_path: Path) -> None:
    cloud, before = start(data_dir=tmp_path / "data", functions="none")
    cloud.close()
    with socket.create_server(("127.0.0.1", int(before.http.rpartition(":")[2]))):
        _, after = start(data_dir=tmp_path / "data", functions="none")
        assert after.http != before.http
        assert get(after, "/_cloud/health").json()["status"] == "ok"


@pytest.mark.parametrize("port", ["http_port", "grpc_port"])
def test_a_port_that_was_asked_for_and_is_taken_is_an_error_that_names_it(start: Start, port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {number}"):
            start(functions="none", **{port: number})


def test_two_local_clouds_do_not_share_a_grpc_port(start: Start) -> None:
    _, one = start(functions="none")
    with pytest.raises(PortTaken):
        start(functions="none", grpc_port=int(one.grpc.rpartition(":")[2]))


def test_a_second_local_cloud_on_the_same_data_is_refused_with_a_sentence(start: Start, tmp_path: Path) -> None:
    start(data_dir=tmp_path / "data", functions="none")
    with pytest.raises(DataInUse, match=rf"\(process {os.getpid()}\) is using .*choose another folder with --data"):
        start(data_dir=tmp_path / "data", functions="none")


def test_an_ephemeral_one_leaves_nothing(start: Start) -> None:
    cloud, _ = start(functions="none")
    where = cloud.seams.data_dir
    assert where.is_dir()
    cloud.close()
    assert not where.exists()


def test_a_cloud_that_cannot_start_frees_its_data(start: Start, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortTaken):
        start(data_dir=tmp_path / "data", functions="none", http_port=taken.getsockname()[1])
    start(data_dir=tmp_path / "data", functions="none")


def test_a_service_that_is_away_is_unavailable_and_applies_nothing(start: Start) -> None:
    cloud, addresses = start(functions="none")
    client = documents(addresses.grpc)
    cloud.seams.faults.outage("firestore", 60)
    with pytest.raises(exceptions.ServiceUnavailable, match="a fault that was asked for"):
        client.document("things/1").set({"a": 1}, retry=None)
    cloud.seams.faults.clear()
    assert not client.document("things/1").get().exists


def test_a_call_whose_answer_is_lost_was_applied(start: Start) -> None:
    cloud, addresses = start(functions="none")
    client = documents(addresses.grpc)
    cloud.seams.faults.lost_answer("Commit")
    with pytest.raises(exceptions.DeadlineExceeded):
        client.document("things/1").set({"a": 1}, retry=None)
    assert client.document("things/1").get().to_dict() == {"a": 1}
    client.document("things/1").set({"a": 2}, retry=None)


def test_a_rest_call_whose_answer_is_lost_was_applied(start: Start) -> None:
    cloud, addresses = start(functions="none")
    cloud.seams.faults.lost_answer("POST /v1/interactions")
    body = {"model": "gemini-3.8-flash", "input": "Say one word."}

    def create() -> httpx.Response:
        headers = {"x-goog-api-key": "local"}
        where = f"{addresses.http}/v1/interactions"
        return httpx.post(where, json=body, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS)

    with pytest.raises(httpx.TransportError):
        create()
    assert create().status_code == 200


def test_the_bill_names_every_unit_that_was_used(start: Start) -> None:
    cloud, addresses = start()
    documents(addresses.grpc).document("workspaces/demo/notes/1").set({"a": 1})
    wait_until(lambda: cloud.triggers.eventarc.idle)
    wait_until(lambda: ("functions", "invocations") in cloud.seams.meter.totals())
    bill = get(addresses, "/_cloud/bill").json()
    assert {"firestore", "functions", "eventarc"} <= set(bill["services"])
    assert all(row["priced"] for row in bill["rows"])
    assert bill["total_usd"] == pytest.approx(sum(row["usd"] for row in bill["rows"]))


def test_on_a_virtual_clock_the_scheduler_and_retries_take_no_time(start: Start, tmp_path: Path) -> None:
    clock = VirtualClock()
    cloud, addresses = start(clock=clock, env={"PROBE_RECORDS": str(tmp_path / "later")})
    documents(addresses.grpc).document("workspaces/demo/notes/1").set({"a": 1})
    clock.run_until(lambda: "tick" in cloud.triggers.scheduler.last, limit=timedelta(hours=1))
    assert cloud.triggers.scheduler.last["tick"].status == 200
    assert cloud.triggers.eventarc.counts() == {"on-document": {"pending": 1}, "on-created": {"pending": 1}}
    (tmp_path / "later").mkdir()
    assert clock.run_until(lambda: cloud.triggers.eventarc.idle, limit=timedelta(hours=2))
    assert {event["function"] for event in recorded(tmp_path / "later")} == {"on_document", "on_created"}
    cloud.close()
    clock.close()
