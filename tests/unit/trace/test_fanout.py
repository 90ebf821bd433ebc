"""Event documents become messages; anything else is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from shared.contracts.events import Envelope
from shared.errors import InputError
from shared.trace.fanout import fan_out
from shared.trigger import Change
from tests.unit.trace.test_tail import AT, event

PATH = ("workspaces", "demo", "operations", "op", "events", "00000001")


def change(document: tuple[str, ...] = PATH, new: Any = None) -> Change:
    return Change(document, None, new, None, None, "e1", "created", None)


def published(given: Change) -> list[tuple[str, bytes, Mapping[str, str]]]:
    sent: list[tuple[str, bytes, Mapping[str, str]]] = []

    def publish(topic: str, data: bytes, attributes: Mapping[str, str]) -> str:
        sent.append((topic, data, attributes))
        return "m1"

    fan_out(given, publish)
    return sent


def test_an_event_is_published_as_its_envelope() -> None:
    [(topic, data, attributes)] = published(change(new=event(1).model_dump()))
    assert topic == "trace-events"
    assert attributes == {"workspace": "demo", "type": "step", "stream": "operations/op"}
    assert Envelope.model_validate_json(data).seq == 1
    assert set(json.loads(data)) == {"v", "id", "seq", "type", "at", "stream", "data"}


def test_what_a_hand_wrote_into_an_event_is_published_as_text() -> None:
    written = event(1).model_dump() | {"data": {"b": b"\xff\xfe", "n": float("nan"), "lists": [[1]], "at": AT}}
    [(_, data, _)] = published(change(new=written))
    assert json.loads(data)["data"] == {"at": "2026-11-30T12:00:00Z", "b": "__4=", "lists": ["[1]"], "n": "nan"}


@pytest.mark.parametrize(
    "given",
    [
        change(),
        change(new=event(10**9).model_dump()),
        change(new={}),
        change(new={"seq": "x"}),
        change(PATH[:4], event(1).model_dump()),
    ],
)
def test_what_is_no_event_is_refused(given: Change) -> None:
    with pytest.raises(InputError):
        published(given)
