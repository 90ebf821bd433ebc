"""A triggered function through functions-framework: who may call it, and which answers make Eventarc try again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from functions_framework import create_app
from google.cloud.firestore_v1._helpers import encode_dict
from google.cloud.firestore_v1.types import Document
from google.events.cloud.firestore_v1 import DocumentEventData

from shared import bootstrap
from shared.bootstrap import App
from shared.contracts.events import Envelope
from shared.errors import Conflict, SettingsError, Transient
from tests.support.http import settings
from tests.support.seams import FakeClock
from tests.unit.test_auth import jwt
from tests.unit.trace.test_tail import event

SOURCE = Path(__file__).parents[2] / "functions" / "trace_fanout" / "main.py"
PATH = "workspaces/demo/operations/op/events/00000001"
CALLER = "eventarc@memex-local.iam.gserviceaccount.com"
CREATED = "google.cloud.firestore.document.v1.created"


class FakePublisher:
    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, Mapping[str, str]]] = []
        self.failure: Callable[[], None] = lambda: None

    def publish(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> str:
        self.failure()
        self.sent.append((topic, data, attributes))
        return "m1"


@pytest.fixture
def publisher() -> FakePublisher:
    return FakePublisher()


@pytest.fixture
def client(publisher: FakePublisher, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")  # a function is not imported without its settings
    env = {"FUNCTION_URL": "https://x/{name}", "FUNCTION_CALLERS": f"trace-fanout={CALLER}"}
    app = App(settings(**env), clock=FakeClock())
    vars(app).update(publisher=publisher)
    bootstrap.use(app)
    yield create_app("trace_fanout", str(SOURCE)).test_client()
    bootstrap.use(None)


def deliver(client: FlaskClient, *, body: bytes | None = None, token: str | None = None, **changes: str) -> Any:
    headers = {
        "ce-specversion": "1.0",
        "ce-id": "e1",
        "ce-type": CREATED,
        "ce-source": "//firestore.googleapis.com/projects/memex-local/databases/(default)",
        "ce-time": "2026-11-30T11:59:59.123456Z",
        "ce-subject": f"documents/{PATH}",
        "ce-document": PATH,
        "content-type": "application/protobuf",
        "authorization": f"Bearer {token or jwt({'aud': 'https://x/trace-fanout', 'email': CALLER})}",
    } | {name.replace("_", "-"): value for name, value in changes.items()}
    return client.post("/", data=created() if body is None else body, headers=headers)


def created(**fields: Any) -> bytes:
    name = f"projects/memex-local/databases/(default)/documents/{PATH}"
    document = Document(name=name, fields=encode_dict({**event(1).model_dump(), **fields}))
    data = DocumentEventData.pb(DocumentEventData())
    data.value.ParseFromString(Document.serialize(document))
    raw: bytes = data.SerializeToString()
    return raw


def fail(publisher: FakePublisher, error: Exception) -> None:
    def failure() -> None:
        raise error

    publisher.failure = failure


def test_a_created_event_is_published(client: FlaskClient, publisher: FakePublisher) -> None:
    assert deliver(client).status_code == 200
    [(topic, data, attributes)] = publisher.sent
    assert topic == "trace-events" and attributes["stream"] == "operations/op"
    assert Envelope.model_validate_json(data) == Envelope(
        id="op-1", seq=1, type="step", at=event(1).at, stream="operations/op", data=event(1).data
    )


@pytest.mark.parametrize(
    ("token", "status"),
    [
        ("x", 401),
        (jwt({"aud": "https://x/research", "email": CALLER}), 401),
        (jwt({"aud": "https://x/trace-fanout", "email": "eventarc@other.iam.gserviceaccount.com"}), 403),
    ],
)
def test_nobody_else_gets_in(client: FlaskClient, publisher: FakePublisher, token: str, status: int) -> None:
    answer = deliver(client, token=token)
    assert answer.status_code == status and "error" in answer.json and publisher.sent == []


def test_what_may_work_later_is_delivered_again(client: FlaskClient, publisher: FakePublisher) -> None:
    fail(publisher, Transient("away", retry_after_seconds=7))
    answer = deliver(client)
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "7"


def test_a_fault_of_the_deployment_is_delivered_again(client: FlaskClient, publisher: FakePublisher) -> None:
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    fail(publisher, SettingsError("deploy the topic"))
    assert deliver(client).status_code == 500


def test_what_can_never_work_is_acknowledged(client: FlaskClient, publisher: FakePublisher) -> None:
    fail(publisher, Conflict("no"))
    assert deliver(client).status_code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"body": b"\xff\xff"},
        {"body": b""},
        {"ce_type": "google.cloud.pubsub.topic.v1.messagePublished"},
        {"ce_time": "2026-11-29T11:59:59Z"},
    ],
)
def test_a_dead_letter_is_acknowledged_and_goes_nowhere(
    client: FlaskClient, publisher: FakePublisher, changes: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert deliver(client, **changes).status_code == 200
    assert publisher.sent == [] and any(record.levelname == "ERROR" for record in caplog.records)


def test_nothing_follows_from_what_an_import_has_created(client: FlaskClient, publisher: FakePublisher) -> None:
    assert deliver(client, body=created(memex_imported=True)).status_code == 200
    assert publisher.sent == []
    assert deliver(client, body=created(memex_imported="yes")).status_code == 200
    assert len(publisher.sent) == 1, "a field of somebody's own is none of ours"
