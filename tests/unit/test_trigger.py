"""What a trigger delivers, in every form in which it arrives."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1.types import Document, Value
from google.events.cloud.firestore_v1 import DocumentEventData
from google.protobuf import json_format

from shared.errors import InputError
from shared.trigger import decode

NAME = "projects/memex-local/databases/(default)/documents/workspaces/demo/notes/n1"
AT = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=timezone.utc)


class FakeEvent:
    def __init__(self, data: Any, **attributes: Any) -> None:
        self.data = data
        self._attributes = {
            "id": "e1",
            "type": "google.cloud.firestore.document.v1.written",
            "time": "2026-11-30T12:00:01.5Z",
            "subject": "documents/workspaces/demo/notes/n1",
        } | attributes

    def get(self, key: str, default: Any = None) -> Any:
        return self._attributes.get(key, default)


def message(**fields: Value) -> Any:
    document = Document(name=NAME, fields=fields, create_time=AT, update_time=AT)
    raw = Document.serialize(document)
    data = DocumentEventData.pb(DocumentEventData())
    data.value.ParseFromString(raw)
    return data


def test_every_kind_of_value_becomes_plain_python() -> None:
    data = message(
        none=Value(null_value=None),
        yes=Value(boolean_value=True),
        n=Value(integer_value=2**40),
        x=Value(double_value=0.5),
        text=Value(string_value="é"),
        raw=Value(bytes_value=b"\x00"),
        at=Value(timestamp_value=AT),
        ref=Value(reference_value=NAME),
        place=Value(geo_point_value={"latitude": 1.0, "longitude": 2.0}),
        list=Value(array_value={"values": [Value(string_value="a"), Value(map_value={})]}),
    )
    change = decode(FakeEvent(data.SerializeToString()))
    assert change.new == {
        "none": None,
        "yes": True,
        "n": 2**40,
        "x": 0.5,
        "text": "é",
        "raw": b"\x00",
        "at": AT,
        "ref": "workspaces/demo/notes/n1",
        "place": {"latitude": 1.0, "longitude": 2.0},
        "list": ["a", {}],
    }
    assert change.old is None and change.update_time == AT and change.create_time == AT
    assert change.document == ("workspaces", "demo", "notes", "n1") and change.event_type == "written"


@pytest.mark.parametrize("form", ["bytes", "json", "base64"])
def test_the_same_change_is_read_from_each_form_of_body(form: str) -> None:
    data = message(title=Value(string_value="t"))
    data.old_value.CopyFrom(data.value)
    raw = data.SerializeToString()
    body = {"bytes": raw, "json": json_format.MessageToDict(data), "base64": base64.b64encode(raw).decode()}[form]
    change = decode(FakeEvent(body))
    assert change.new == change.old == {"title": "t"} and change.id == "n1" and change.workspace == "demo"


def test_a_deletion_is_named_by_the_old_value() -> None:
    data = message(title=Value(string_value="t"))
    data.old_value.CopyFrom(data.value)
    data.ClearField("value")
    change = decode(FakeEvent(data.SerializeToString(), subject=None))
    assert change.new is None and change.update_time is None and change.id == "n1"


def test_an_empty_body_is_named_by_the_header() -> None:
    assert decode(FakeEvent(None)).document == ("workspaces", "demo", "notes", "n1")


@pytest.mark.parametrize(
    "event",
    [
        FakeEvent(b"\xff\xff\xff"),
        FakeEvent("not base64!"),
        FakeEvent({"value": 7}),
        FakeEvent(b"", type="google.cloud.pubsub.topic.v1.messagePublished"),
        FakeEvent(b"", type=""),
        FakeEvent(b"", subject="documents/other/x/notes/n1"),
        FakeEvent(b"", subject="documents/workspaces/demo/notes"),
        FakeEvent(b"", subject="documents/workspaces//notes/n1"),
    ],
)
def test_anything_else_is_refused(event: FakeEvent) -> None:
    with pytest.raises(InputError):
        decode(event)


def test_an_event_is_old_after_a_day_and_never_without_a_time() -> None:
    change = decode(FakeEvent(None))
    sent = datetime(2026, 11, 30, 12, 0, 1, 500000, tzinfo=timezone.utc)
    assert not change.older_than_a_day(sent + timedelta(hours=24))
    assert change.older_than_a_day(sent + timedelta(hours=24, seconds=1))
    assert not decode(FakeEvent(None, time="soon")).older_than_a_day(sent + timedelta(days=9))


def test_an_owner_is_known_by_the_collection_it_lies_in() -> None:
    turn = NAME.replace("notes/n1", "chat_sessions/s1/turns/t1")
    data = message()
    data.value.name = turn
    change = decode(FakeEvent(data.SerializeToString()))
    assert (change.within("chat_sessions"), change.within("workspaces"), change.id) == ("s1", "demo", "t1")
    with pytest.raises(InputError, match="lies in no notes"):
        change.within("notes")


def carried(data: str, **attributes: str) -> FakeEvent:
    """As functions-framework gives a push of Pub/Sub on to a function."""
    sent = {
        "ce-id": "e9",
        "ce-type": "google.cloud.firestore.document.v1.created",
        "ce-time": "2026-11-30T12:00:01.5Z",
        "ce-document": "workspaces/demo/notes/ends with a space ",
        "ce-datacontenttype": "application/protobuf",
    }
    message = {"attributes": sent | attributes, "data": data, "messageId": "1"}
    return FakeEvent({"message": message}, type="google.cloud.pubsub.topic.v1.messagePublished", id="1")


def test_an_event_whose_headers_could_not_be_sent_is_found_in_its_message() -> None:
    data = message(title=Value(string_value="Rye"))
    plain = base64.b64encode(data.SerializeToString()).decode()
    change = decode(carried(plain))
    assert (change.new, change.event_id, change.event_type) == ({"title": "Rye"}, "e9", "created")
    assert change.document == ("workspaces", "demo", "notes", "n1") and change.sent_at is not None
    as_json = base64.b64encode(json_format.MessageToJson(data).encode()).decode()
    assert decode(carried(as_json, **{"ce-datacontenttype": "application/json; charset=utf-8"})) == change


@pytest.mark.parametrize(
    "event",
    [
        carried("!", **{"ce-datacontenttype": "application/json"}),
        carried("!"),
        carried("", **{"ce-type": "something.else"}),
        FakeEvent({"message": {"data": "x"}}, type="google.cloud.pubsub.topic.v1.messagePublished"),
        FakeEvent({"message": None}, type="google.cloud.pubsub.topic.v1.messagePublished"),
    ],
)
def test_a_message_that_carries_no_document_event_is_refused(event: FakeEvent) -> None:
    with pytest.raises(InputError):
        decode(event)
