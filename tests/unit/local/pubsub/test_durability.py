"""What publish answered is there after a restart or a SIGKILL; streams and pulls end with the part."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.api_core.exceptions import ServiceUnavailable
from google.pubsub_v1.types import StreamingPullRequest

from tests.unit.local.pubsub.world import SUBSCRIPTION, TOPIC, World

pytestmark = pytest.mark.filterwarnings("ignore:The return_immediately flag is deprecated:DeprecationWarning")

PUBLISH_FOR_EVER = f"""
import itertools, sys
from pathlib import Path
from infra.local.clock import RealClock
from infra.local.meter import Meter
from infra.local.pubsub.service import PubSubPart
part = PubSubPart(Path(sys.argv[1]), RealClock(), Meter(), None)
part.start()
part.ensure_topic({TOPIC!r})
part.ensure_subscription({SUBSCRIPTION!r}, {TOPIC!r})
for number in itertools.count():
    part.publish({TOPIC!r}, str(number).encode())
    print(number, flush=True)
"""


def test_unacknowledged_messages_come_again_after_a_restart(tmp_path: Path) -> None:
    before = World(tmp_path)
    before.topic(enable_message_ordering=True)
    before.publish("a", "b", "c", key="k")
    received = before.pull()
    before.ack(received[:1])
    before.stop()
    after = World(tmp_path)
    assert after.texts() == ["b", "c"]
    after.stop()


def test_an_ack_id_from_before_a_restart_still_acknowledges(tmp_path: Path) -> None:
    before = World(tmp_path)
    before.topic()
    before.publish("a")
    received = before.pull()
    before.stop()
    after = World(tmp_path)
    after.ack(received)
    assert after.texts() == []
    after.stop()


def test_delivery_attempts_outlive_a_restart(tmp_path: Path) -> None:
    before = World(tmp_path)
    before.part.ensure_topic(graves := "projects/memex-local/topics/graves")
    before.topic(dead_letter_policy={"dead_letter_topic": graves})
    before.publish("a")
    for _ in range(3):
        before.nack(before.pull())
    before.stop()
    after = World(tmp_path)
    assert [each.delivery_attempt for each in after.pull()] == [4]
    after.stop()


def test_resources_and_message_ids_go_on_after_a_restart(tmp_path: Path) -> None:
    before = World(tmp_path)
    before.topic()
    first = before.part.publish(TOPIC, b"a")
    before.stop()
    after = World(tmp_path)
    assert after.subscriber.get_subscription(subscription=SUBSCRIPTION).topic == TOPIC
    assert int(after.part.publish(TOPIC, b"b")) == int(first) + 1
    after.stop()


def test_what_was_answered_survives_sigkill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PUBLISH_FOR_EVER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as publisher:
        assert publisher.stdout is not None
        answered = [publisher.stdout.readline() for _ in range(200)]
        publisher.kill()
        answered += publisher.stdout.readlines()
    world = World(tmp_path)
    kept = world.texts() + world.texts() + world.texts()
    while more := world.texts():
        kept += more
    world.stop()
    complete = [line.strip() for line in answered if line.endswith("\n")]
    assert len(complete) >= 200
    assert set(complete) <= set(kept)
    assert sorted(map(int, kept)) == list(range(len(kept)))


def test_streams_and_long_pulls_end_at_once_when_the_part_closes(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.topic()
    errors: list[Exception] = []
    opened = threading.Barrier(3)

    def stream() -> None:
        def requests() -> Iterator[StreamingPullRequest]:
            yield StreamingPullRequest(subscription=SUBSCRIPTION, stream_ack_deadline_seconds=10)
            opened.wait(10)
            threading.Event().wait(10)

        expect_unavailable(lambda: list(world.subscriber.streaming_pull(requests=requests(), timeout=30)))

    def pull() -> None:
        opened.wait(10)
        expect_unavailable(
            lambda: world.subscriber.pull(subscription=SUBSCRIPTION, max_messages=1, timeout=30, retry=None)
        )

    def expect_unavailable(call: object) -> None:
        try:
            call()  # type: ignore[operator]
        except (ServiceUnavailable, grpc.RpcError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, daemon=True) for work in (stream, pull)]
    for thread in threads:
        thread.start()
    opened.wait(10)
    wait_for_consumers(world, 2)
    began = time.monotonic()
    world.part.close()
    for thread in threads:
        thread.join(10)
    assert time.monotonic() - began < 2
    assert [isinstance(error, ServiceUnavailable) for error in errors] == [True, True]
    world.stop()
    readers = [thread for thread in threading.enumerate() if thread.name == "pubsub stream"]
    for reader in readers:
        reader.join(10)
    assert not any(reader.is_alive() for reader in readers)


def test_a_stream_that_leaves_gives_back_what_it_was_not_sent(world: World) -> None:
    world.topic(ack_deadline_seconds=600)
    leave = threading.Event()

    def requests() -> Iterator[StreamingPullRequest]:
        yield StreamingPullRequest(
            subscription=SUBSCRIPTION, stream_ack_deadline_seconds=10, max_outstanding_messages=2
        )
        leave.wait(10)

    stream = world.subscriber.streaming_pull(requests=requests(), timeout=30)
    world.publish("a", "b", "c")
    got: list[str] = []
    for response in stream:
        got += [each.message.data.decode() for each in response.received_messages]
        if len(got) == 2:
            break
    assert sorted(got) == ["a", "b"]
    assert world.texts() == ["c"]
    leave.set()
    wait_for_consumers(world, 0)
    assert world.texts() == []
    world.advance(11)
    assert sorted(world.texts()) == ["a", "b"]


def test_a_reopened_stream_with_the_same_client_id_keeps_its_keys(world: World) -> None:
    world.topic(enable_message_ordering=True, ack_deadline_seconds=600)
    world.publish("a", key="k")
    first = open_stream(world, "client-1")
    assert next(first) == ["a"]
    first.close()
    wait_for_consumers(world, 0)
    world.publish("b", key="k")
    assert world.texts() == []
    second = open_stream(world, "client-1")
    assert next(second) == ["b"]
    second.close()


def open_stream(world: World, client_id: str) -> Iterator[list[str]]:
    """The texts of each response; closing it leaves."""
    leave = threading.Event()

    def requests() -> Iterator[StreamingPullRequest]:
        yield StreamingPullRequest(subscription=SUBSCRIPTION, stream_ack_deadline_seconds=10, client_id=client_id)
        leave.wait(10)

    try:
        for response in world.subscriber.streaming_pull(requests=requests(), timeout=30):
            yield [each.message.data.decode() for each in response.received_messages]
    finally:
        leave.set()


def wait_for_consumers(world: World, count: int) -> None:
    deadline = time.monotonic() + 10
    queue = world.part._broker.queue(SUBSCRIPTION)
    while len(queue._backlog.consumers()) != count:
        assert time.monotonic() < deadline
        time.sleep(0.005)
