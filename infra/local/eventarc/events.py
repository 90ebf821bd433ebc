"""A document change as a CloudEvent: which type it is, its body, its headers."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

TYPE_PREFIX = "google.cloud.firestore.document.v1."
EVENT_BYTES = 512 * 1024
"""The largest event; production drops what is larger, unseen."""

_DATA_SCHEMA = (
    "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"
)
_VALUE, _OLD_VALUE, _UPDATE_MASK, _FIELD_PATHS = 1, 2, 3, 1


class Change(Protocol):
    """One change of one document, as the database's change log has it; documents are protobuf messages."""

    @property
    def seq(self) -> int: ...
    @property
    def commit_time(self) -> datetime: ...
    @property
    def name(self) -> str: ...
    @property
    def old(self) -> Any | None: ...
    @property
    def new(self) -> Any | None: ...
    @property
    def update_mask(self) -> tuple[str, ...] | None: ...


@dataclass(frozen=True)
class Event:
    """What happened to a document: the same for every function that hears of it, but for the type."""

    id: str
    kind: str
    """created, updated or deleted."""
    name: str
    time: datetime
    data: bytes

    @property
    def path(self) -> str:
        """The document's path below the database's root."""
        return self.name.split("/documents/", 1)[1]


def event_of(change: Change) -> Event:
    """The event of a change. Its id is a function of the change alone, so it never has two."""
    kind = "created" if change.old is None else "deleted" if change.new is None else "updated"
    cause = f"{change.name}@{change.seq}@{change.commit_time.isoformat()}"
    return Event(str(uuid.uuid5(uuid.NAMESPACE_URL, cause)), kind, change.name, change.commit_time, data_of(change))


def hears(event_type: str, kind: str) -> bool:
    """Whether a trigger for `event_type` hears of a change of this kind."""
    wanted = event_type.removeprefix(TYPE_PREFIX)
    return wanted in (kind, "written")


def data_of(change: Change) -> bytes:
    """A serialized google.events.cloud.firestore.v1.DocumentEventData.

    Its Document is the one of google.firestore.v1 on the wire, so the bytes are put together here: the
    package with the generated classes costs a second of start-up and would copy every field.
    """
    parts = []
    if change.new is not None:
        parts.append(_field(_VALUE, change.new.SerializeToString(deterministic=True)))
    if change.old is not None:
        parts.append(_field(_OLD_VALUE, change.old.SerializeToString(deterministic=True)))
    if change.old is not None and change.new is not None:
        paths = (_field(_FIELD_PATHS, path.encode()) for path in change.update_mask or ())
        parts.append(_field(_UPDATE_MASK, b"".join(paths)))
    return b"".join(parts)


def headers_of(event: Event, event_type: str, location: str) -> dict[str, str]:
    """The headers of the event in the HTTP binding's binary mode."""
    _, project, _, database = event.name.split("/")[:4]
    return {
        "ce-specversion": "1.0",
        "ce-id": event.id,
        "ce-type": event_type,
        "ce-time": event.time.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "ce-source": f"//firestore.googleapis.com/projects/{project}/databases/{database}",
        "ce-subject": f"documents/{_quoted(event.path)}",
        "ce-document": _quoted(event.path),
        "ce-project": project,
        "ce-location": location,
        "ce-database": database,
        "ce-namespace": "(default)",
        "ce-dataschema": _DATA_SCHEMA,
        "content-type": "application/protobuf",
    }


def _quoted(text: str) -> str:
    """Percent-encoded where a CloudEvents header must be: controls, space, quote, percent, and all beyond ASCII."""
    return "".join(
        char if "!" <= char <= "~" and char not in '"%' else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in text
    )


def _field(number: int, content: bytes) -> bytes:
    """A length-delimited protobuf field."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
