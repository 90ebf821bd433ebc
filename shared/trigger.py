"""What a Firestore trigger delivers, decoded without the Firestore client.

The body is a protobuf DocumentEventData. Senders differ, and all are understood: production and the local cloud send
bytes, a trigger whose content type was left at its default sends the JSON form, and an older emulator sends base64
text. An empty body arrives as None. And where an attribute cannot be sent as a header, as an id that ends with a space
cannot, Eventarc sends the Pub/Sub message by which it carries the event: attributes and body are in there.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Protocol

from shared.errors import InputError

DOCUMENT = "google.cloud.firestore.document.v1."
CARRIED = "google.cloud.pubsub.topic.v1.messagePublished"
"""What functions-framework takes a bare push of Pub/Sub for."""
PREFIX = "ce-"
EVENT_AGE_SECONDS = 86_400.0
"""An event older than this is recorded as a dead letter and acknowledged."""


class CloudEvent(Protocol):
    """What functions-framework gives: attributes as a mapping, and the data."""

    data: Any

    def get(self, key: str, default: Any = None) -> Any:
        """An attribute of the event."""


@dataclass(frozen=True)
class Change:
    """One write of a document. `old` and `new` are its fields, None where there was no document."""

    document: tuple[str, ...]
    """The parts of its path, such as ("workspaces", "demo", "notes", "n1")."""
    old: Mapping[str, Any] | None
    new: Mapping[str, Any] | None
    create_time: datetime | None
    update_time: datetime | None
    """When the new value was written; order changes of a document by it, deliveries have no order."""
    event_id: str
    event_type: str
    """created | updated | deleted | written"""
    sent_at: datetime | None

    @property
    def workspace(self) -> str:
        return self.document[1]

    @property
    def id(self) -> str:
        return self.document[-1]

    def within(self, collection: str) -> str:
        """The id that follows `collection` in the path. Raises InputError where the document lies in none."""
        owners = dict(zip(self.document[::2], self.document[1::2], strict=True))
        if collection not in owners:
            raise InputError(f"{'/'.join(self.document)[:200]} lies in no {collection}", field="ce-document")
        return owners[collection]

    def older_than_a_day(self, now: datetime) -> bool:
        return self.sent_at is not None and (now - self.sent_at).total_seconds() > EVENT_AGE_SECONDS


def decode(event: CloudEvent) -> Change:
    """The change that an event tells of. Raises InputError for anything that is no Firestore document event."""
    event = _carried(event)
    event_type = str(event.get("type", ""))
    if not event_type.startswith(DOCUMENT):
        raise InputError(f"{event_type or 'no type'} is no event of a Firestore document", field="ce-type")
    data = _message(event.data)
    new = data.value if data.HasField("value") else None
    old = data.old_value if data.HasField("old_value") else None
    document = _path(new.name if new else old.name if old else "", event)
    return Change(
        document=document,
        old=_fields(old.fields) if old else None,
        new=_fields(new.fields) if new else None,
        create_time=_moment(new.create_time) if new else None,
        update_time=_moment(new.update_time) if new else None,
        event_id=str(event.get("id", "")),
        event_type=event_type[len(DOCUMENT) :].removesuffix(".withAuthContext"),
        sent_at=_time(event.get("time")),
    )


@dataclass
class _Carried:
    """The event inside a message of Pub/Sub."""

    attributes: Mapping[str, str]
    data: Any

    def get(self, key: str, default: Any = None) -> Any:
        return self.attributes.get(PREFIX + key, default)


def _carried(event: CloudEvent) -> CloudEvent:
    if event.get("type") != CARRIED or not isinstance(event.data, dict):
        return event
    message = event.data.get("message")
    message = message if isinstance(message, dict) else {}
    attributes = message.get("attributes")
    if not isinstance(attributes, dict) or f"{PREFIX}type" not in attributes:
        return event
    data: Any = message.get("data", "")
    if str(attributes.get(f"{PREFIX}datacontenttype", "")).startswith("application/json"):
        try:
            data = json.loads(base64.b64decode(data, validate=True))
        except (binascii.Error, TypeError, ValueError) as error:
            raise InputError("The message carries no JSON.", field="data") from error
    return _Carried(attributes, data)


def _message(data: Any) -> Any:
    from google.events.cloud.firestore_v1 import DocumentEventData
    from google.protobuf import json_format
    from google.protobuf.message import DecodeError

    message = DocumentEventData.pb(DocumentEventData())
    try:
        if isinstance(data, dict):
            return json_format.ParseDict(data, message, ignore_unknown_fields=True)
        if isinstance(data, str):
            data = base64.b64decode(data, validate=True)
        message.ParseFromString(data or b"")
    except (DecodeError, json_format.ParseError, binascii.Error, TypeError, ValueError) as error:
        raise InputError("The body is no DocumentEventData.", field="data") from error
    return message


def _path(name: str, event: CloudEvent) -> tuple[str, ...]:
    """From the document's own name, since headers are percent-encoded by some senders and not by others."""
    path = name.partition("/documents/")[2]
    path = path or str(event.get("document") or "") or str(event.get("subject") or "").removeprefix("documents/")
    parts = tuple(path.split("/"))
    if len(parts) < 4 or len(parts) % 2 or not all(parts) or parts[0] != "workspaces":
        raise InputError(f"{path[:200]!r} is no document of a workspace", field="ce-document")
    return parts


def _fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in fields.items()}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value_type")
    if kind is None or kind == "null_value":
        return None
    if kind == "timestamp_value":
        return _moment(value.timestamp_value)
    if kind == "map_value":
        return _fields(value.map_value.fields)
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    if kind == "reference_value":
        return value.reference_value.partition("/documents/")[2]
    if kind == "geo_point_value":
        return {"latitude": value.geo_point_value.latitude, "longitude": value.geo_point_value.longitude}
    return getattr(value, kind)


def _moment(timestamp: Any) -> datetime:
    moment: datetime = timestamp.ToDatetime(tzinfo=timezone.utc)
    return moment


def _time(text: Any) -> datetime | None:
    try:
        moment = text if isinstance(text, datetime) else datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
