"""Answers in a form that two servers can agree on: times by their rank, identifiers by their presence."""

from __future__ import annotations

import math
import struct
import time
from typing import Any

_OWN_SPAN = 30 * 86_400
_RENAMED = {"read_time", "commit_time", "create_time", "update_time"}
_PRESENCE = {"transaction", "next_page_token"}
_UNSENT = {"done", "skipped_results", "explain_metrics"}


def plain(message: Any) -> Any:
    """A protobuf message as nested dicts and lists."""
    return _Plain().message(message)


def plain_stream(messages: list[Any]) -> list[Any]:
    """Several, with the ranks of their times counted together."""
    reader = _Plain()
    reader.learn(messages)
    return [reader.message(each) for each in messages]


def is_near(seconds: int) -> bool:
    """Whether a moment is of the run itself, not of the data."""
    return abs(seconds - time.time()) < _OWN_SPAN


class _Plain:
    def __init__(self) -> None:
        self._times: list[tuple[int, int]] = []

    def learn(self, messages: list[Any]) -> None:
        found: set[tuple[int, int]] = set()
        for message in messages:
            _own_times(message, found)
        self._times = sorted(found)

    def message(self, message: Any) -> Any:
        if not self._times:
            self.learn([message])
        name = message.DESCRIPTOR.full_name
        if name == "google.firestore.v1.Value":
            return self._value(message)
        if name == "google.protobuf.Timestamp":
            return self._time(message)
        return {field.name: self._field(field, value) for field, value in message.ListFields() if _is_told(field.name)}

    def _field(self, field: Any, value: Any) -> Any:
        if field.name in _PRESENCE:
            return "present"
        if field.name == "read_time":
            return "present"
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            return {key: self.message(each) for key, each in sorted(value.items())}
        if field.is_repeated:
            return [self.message(each) if field.message_type is not None else each for each in value]
        return self.message(value) if field.message_type is not None else value

    def _time(self, moment: Any) -> str:
        key = (moment.seconds, moment.nanos)
        return f"time {self._times.index(key)}" if key in self._times else f"{moment.seconds}.{moment.nanos:09}"

    def _value(self, value: Any) -> Any:
        kind = value.WhichOneof("value_type")
        if kind == "double_value":
            number = value.double_value
            return ["double", "nan" if math.isnan(number) else struct.pack(">d", number).hex(), repr(number)]
        if kind == "timestamp_value":
            moment = value.timestamp_value
            return ["timestamp", "now" if is_near(moment.seconds) else self._time(moment)]
        if kind == "map_value":
            return {key: self._value(each) for key, each in sorted(value.map_value.fields.items())}
        if kind == "array_value":
            return [self._value(each) for each in value.array_value.values]
        if kind == "geo_point_value":
            point = value.geo_point_value
            return ["geo", repr(point.latitude), repr(point.longitude)]
        return [kind, repr(getattr(value, kind)) if kind else None]


def _is_told(name: str) -> bool:
    return name not in _UNSENT


def _own_times(message: Any, found: set[tuple[int, int]]) -> None:
    for field, value in message.ListFields():
        if field.message_type is None or field.name == "fields" or field.name == "transform_results":
            continue
        for each in value if field.is_repeated else (value,):
            if field.name in _RENAMED and is_near(each.seconds):
                found.add((each.seconds, each.nanos))
            elif hasattr(each, "ListFields"):
                _own_times(each, found)
