"""Push subscriptions: what arrives at the endpoint, and which answers acknowledge it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from google.api_core.exceptions import FailedPrecondition

from tests.contract.pubsub.cloud import Cloud, eventually

pytestmark = pytest.mark.filterwarnings("ignore:The return_immediately flag is deprecated:DeprecationWarning")


class Endpoint:
    """An HTTP server that keeps what was posted and answers with `statuses` in turn, then with the last."""

    def __init__(self) -> None:
        self.statuses, self.bodies, self.headers = [200], list[dict[str, Any]](), list[dict[str, str]]()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = endpoint.statuses[min(len(endpoint.bodies), len(endpoint.statuses) - 1)]
                endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
                endpoint.bodies.append(json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/push"
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join(10)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    yield endpoint
    endpoint.close()


def test_a_push_carries_the_message_in_both_spellings(cloud: Cloud, endpoint: Endpoint) -> None:
    topic = cloud.topic()
    name = cloud.subscription(topic, push_config={"push_endpoint": endpoint.url})
    (message_id,) = cloud.publish(topic, "hello", colour="blue")
    eventually(lambda: len(endpoint.bodies) == 1)
    (body,) = endpoint.bodies
    message = body["message"]
    assert body["subscription"] == name
    assert base64.b64decode(message["data"]) == b"hello"
    assert message["attributes"] == {"colour": "blue"}
    assert message["messageId"] == message["message_id"] == message_id
    assert message["publishTime"] == message["publish_time"]
    assert "deliveryAttempt" not in body and "orderingKey" not in message
    assert endpoint.headers[0]["content-type"] == "application/json"


@pytest.mark.parametrize("status", [201, 202, 204])
def test_these_statuses_acknowledge(cloud: Cloud, endpoint: Endpoint, status: int) -> None:
    endpoint.statuses = [status]
    topic = cloud.topic()
    cloud.subscription(topic, push_config={"push_endpoint": endpoint.url})
    cloud.publish(topic, "a")
    eventually(lambda: len(endpoint.bodies) == 1)
    cloud.publish(topic, "b")
    eventually(lambda: len(endpoint.bodies) == 2)
    assert len({body["message"]["messageId"] for body in endpoint.bodies}) == 2


def test_a_refused_push_comes_again(cloud: Cloud, endpoint: Endpoint) -> None:
    endpoint.statuses = [500, 404, 200]
    topic = cloud.topic()
    cloud.subscription(topic, push_config={"push_endpoint": endpoint.url})
    cloud.publish(topic, "a")
    eventually(lambda: len(endpoint.bodies) == 3)
    assert len({body["message"]["messageId"] for body in endpoint.bodies}) == 1


def test_pushes_of_a_key_come_one_by_one_in_order(cloud: Cloud, endpoint: Endpoint) -> None:
    topic = cloud.topic()
    cloud.subscription(topic, push_config={"push_endpoint": endpoint.url}, enable_message_ordering=True)
    wanted = [f"m{i}" for i in range(10)]
    cloud.publish(topic, *wanted, key="k")
    eventually(lambda: len(endpoint.bodies) == 10)
    assert [base64.b64decode(body["message"]["data"]).decode() for body in endpoint.bodies] == wanted
    cloud.differs("pushed-key")
    assert endpoint.bodies[0]["message"]["orderingKey"] == "k"


def test_a_subscription_can_turn_from_pull_to_push(cloud: Cloud, endpoint: Endpoint) -> None:
    topic = cloud.topic()
    name = cloud.subscription(topic)
    cloud.publish(topic, "waiting")
    cloud.subscriber.modify_push_config(subscription=name, push_config={"push_endpoint": endpoint.url})
    eventually(lambda: len(endpoint.bodies) == 1)


def test_a_push_subscription_cannot_be_pulled_from(cloud: Cloud, endpoint: Endpoint) -> None:
    cloud.differs("pull-of-push")
    name = cloud.subscription(cloud.topic(), push_config={"push_endpoint": endpoint.url})
    with pytest.raises(FailedPrecondition):
        cloud.subscriber.pull(subscription=name, max_messages=1)
