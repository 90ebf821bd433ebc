"""`memex tail`: a real Pub/Sub subscriber of the trace events."""

from __future__ import annotations

import json
import os
import queue
import random
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from infra.cli.address import find
from infra.cli.errors import CliError
from infra.cli.events import describe
from infra.cli.options import address_options
from infra.cli.stopping import on_stop
from infra.cli.terminal import one_line, print_json, styled

if TYPE_CHECKING:
    import grpc
    from google.cloud.pubsub_v1 import SubscriberClient

PROJECT = "memex-local"
TOPIC = "trace-events"
CALL_SECONDS = 10


@click.command()
@click.option("--workspace", help="Only events of this workspace.")
@click.option("--type", "kind", help="Only events of this type, such as completed.")
@click.option("--count", type=click.IntRange(1), help="End after so many events.")
@click.option("--grpc", envvar="MEMEX_GRPC", help="host:port of the local cloud's gRPC services.  [env: MEMEX_GRPC]")
@address_options
def tail(workspace: str | None, kind: str | None, count: int | None, grpc: str | None, **where: Any) -> None:
    """Print trace events as they come, until ctrl-C.

    Subscribes to the topic trace-events with a subscription of its own and deletes it at the end. Events come at
    least once and in no order; each carries its stream and its number in it.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # read when grpc is imported: what it would print is said by us
    target = _target(grpc, where)
    stop = threading.Event()
    with on_stop(stop):
        _follow(target, _filter(workspace, kind), count, where["as_json"], stop)


def _target(grpc: str | None, where: dict[str, Any]) -> str:
    if grpc:
        return grpc
    directory: Path = where["data"]
    found = find(where["url"], where["token"], None, directory).grpc
    if not found:
        raise CliError("With --url, say where gRPC is too: --grpc host:port, or MEMEX_GRPC.", code="no_address")
    return found


def _filter(workspace: str | None, kind: str | None) -> str:
    wanted = {"workspace": workspace, "type": kind}
    return " AND ".join(f"attributes.{name} = {json.dumps(value)}" for name, value in wanted.items() if value)


def _follow(target: str, wanted: str, count: int | None, as_json: bool, stop: threading.Event) -> None:
    from google.api_core.exceptions import GoogleAPICallError
    from google.pubsub_v1.types import Subscription

    from shared.clock import SystemClock
    from shared.ids import UlidSource

    client = _subscriber(target)
    name = f"tail-{UlidSource(SystemClock(), random.SystemRandom()).fresh().lower()}"
    path = client.subscription_path(PROJECT, name)
    topic = f"projects/{PROJECT}/topics/{TOPIC}"
    request = Subscription(name=path, topic=topic, filter=wanted, ack_deadline_seconds=10)
    try:
        client.create_subscription(request=request, timeout=CALL_SECONDS, retry=None)
    except GoogleAPICallError as error:
        raise CliError(f"No subscription at {target}: {error.message}", code="pubsub") from error
    try:
        click.echo(styled(f"Listening on {topic}. ctrl-C ends it.", dim=True), err=True)
        _print_events(client, path, count, as_json, stop)
    finally:
        _unsubscribe(client, path)


def _unsubscribe(client: SubscriberClient, path: str) -> None:
    from google.api_core.exceptions import GoogleAPICallError

    try:
        client.delete_subscription(request={"subscription": path}, timeout=CALL_SECONDS, retry=None)
    except GoogleAPICallError as error:  # such as a local cloud that ended before us
        click.echo(f"memex: {path} could not be deleted: {one_line(str(error.message), 200)}", err=True)
    finally:
        client.close()


def _subscriber(target: str) -> SubscriberClient:
    import grpc
    from google.cloud.pubsub_v1 import SubscriberClient
    from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

    channel = grpc.insecure_channel(target)
    channel.subscribe(_Outage())
    return SubscriberClient(transport=SubscriberGrpcTransport(channel=channel))


class _Outage:
    """Says once that the server is away, and again only after it was back."""

    def __init__(self) -> None:
        self._there = False

    def __call__(self, state: grpc.ChannelConnectivity) -> None:
        if state.name == "READY":
            self._there = True
        elif self._there and state.name in ("TRANSIENT_FAILURE", "IDLE"):
            self._there = False
            click.echo("Waiting for Memex.", err=True)


def _print_events(client: SubscriberClient, path: str, count: int | None, as_json: bool, stop: threading.Event) -> None:
    """Print until `stop` is set, `count` is reached or the stream fails. Raises CliError when it fails."""
    arrived: queue.Queue[Any] = queue.Queue()
    pull = client.subscribe(path, callback=arrived.put)
    pull.add_done_callback(arrived.put)
    printed = 0
    try:
        while not stop.is_set() and (count is None or printed < count):
            try:
                message = arrived.get(timeout=0.2)
            except queue.Empty:
                continue
            if message is pull:
                raise CliError(f"The subscription ended: {pull.exception()}", code="pubsub")
            _print(json.loads(message.data), dict(message.attributes), as_json)
            message.ack()
            printed += 1
    finally:
        pull.cancel()
        pull.exception(timeout=CALL_SECONDS)  # waits for its threads; what ended it has been said


def _print(envelope: dict[str, Any], attributes: dict[str, str], as_json: bool) -> None:
    if as_json:
        print_json({**envelope, "workspace": attributes.get("workspace")})
        return
    icon, text = describe(envelope)
    moment, stream = str(envelope["at"])[11:19], one_line(str(envelope["stream"]))
    place = f"{one_line(attributes.get('workspace', ''))}/{stream} {envelope['seq']}"
    click.echo(f"{moment}  {icon} {text}  {styled(place, dim=True)}")
