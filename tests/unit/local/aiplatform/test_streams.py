"""The event stream: what it brings, where it ends, and how it is resumed."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from infra.local.aiplatform.script import Script
from infra.local.clock import VirtualClock
from tests.unit.local.aiplatform.platform_server import Platform, advance, events, request_body, serving, text_parts


def test_the_first_event_carries_the_id_while_the_run_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=3600) as platform:
        identity = platform.begin()
        assert platform.get(identity)["status"] == "in_progress"


def test_a_stream_ends_with_the_completed_event_and_done(platform: Platform) -> None:
    with platform.http.stream("POST", "/v1/interactions", json=request_body()) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    assert lines[0] == "event: interaction.created"
    assert lines[-2:] == ["event: done", "data: [DONE]"]
    last = list(events(iter(lines)))[-1]
    assert (last["event_type"], last["interaction"]["status"]) == ("interaction.completed", "completed")
    assert "steps" not in last["interaction"]


def test_the_deltas_add_up_to_the_steps_that_get_shows(platform: Platform) -> None:
    identity = platform.begin()
    texts: dict[int, str] = {}
    annotations: dict[int, list[Any]] = {}
    for event in platform.replay(identity):
        delta = event.get("delta", {})
        if delta.get("type") == "text":
            texts[event["index"]] = texts.get(event["index"], "") + delta["text"]
        if delta.get("type") == "text_annotation_delta":
            annotations.setdefault(event["index"], []).extend(delta["annotations"])
    shown = text_parts(platform.get(identity))
    assert list(texts.values()) == [part["text"] for part in shown]
    assert list(annotations.values()) == [part["annotations"] for part in shown if "annotations" in part]


def test_a_stream_resumed_at_any_event_equals_the_uninterrupted_one(platform: Platform) -> None:
    identity = platform.begin()
    whole = platform.replay(identity)
    assert len({event["event_id"] for event in whole}) == len(whole) > 20
    for place, event in enumerate(whole):
        assert platform.replay(identity, event["event_id"]) == whole[place + 1 :]


def test_a_stream_resumed_while_the_run_goes_on_brings_the_rest(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=0.6) as platform:
        with platform.http.stream("POST", "/v1/interactions", json=request_body()) as answer:
            stream = events(answer.iter_lines())
            head = [next(stream) for _ in range(4)]
        identity = head[0]["interaction"]["id"]
        rest = platform.replay(identity, head[-1]["event_id"])
        assert head + rest == platform.replay(identity)


@pytest.mark.parametrize("cursor", ["evt_999999", "no such", "évt"])
def test_a_cursor_nobody_gave_is_refused(platform: Platform, cursor: str) -> None:
    identity = platform.begin()
    query = {"stream": "true", "last_event_id": cursor}
    assert platform.http.get(f"/v1/interactions/{identity}", params=query).status_code == 400


def test_an_open_stream_sees_the_cancel(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=3600) as platform:
        identity = platform.begin()
        with platform.http.stream("GET", f"/v1/interactions/{identity}", params={"stream": "true"}) as answer:
            stream = events(answer.iter_lines())
            next(stream)
            platform.http.post(f"/v1/interactions/{identity}/cancel")
            last = list(stream)[-1]
        assert last["interaction"]["status"] == "cancelled"
        assert platform.replay(identity)[-1] == last


def test_a_failed_run_says_why_before_it_ends(platform: Platform) -> None:
    platform.part.script_interaction(Script(errors=({"code": "13", "message": "boom"},)))
    tail = platform.replay(platform.begin())[-2:]
    assert tail[0]["error"] == {"code": "13", "message": "boom"}
    assert tail[1]["interaction"]["status"] == "failed"


def test_an_open_stream_does_not_hold_the_virtual_clock_and_is_dropped_after_ten_minutes(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock, run_seconds=7200) as platform:
        lines: list[str] = []
        opened, ended = threading.Event(), threading.Event()

        def read() -> None:
            with platform.http.stream("POST", "/v1/interactions", json=request_body()) as answer:
                for line in answer.iter_lines():
                    lines.append(line)
                    opened.set()
            ended.set()

        reader = threading.Thread(target=read)
        reader.start()
        assert opened.wait(10)
        advance(clock, 590)
        assert not ended.is_set()
        advance(clock, 30)
        assert ended.wait(10)
        reader.join(10)
        assert ": heartbeat" in lines
        assert "data: [DONE]" not in lines
        identity = platform.part.calls.created()[0]
        advance(clock, 7200)
        assert platform.get(identity)["status"] == "completed"
    clock.close()


def test_an_open_stream_ends_promptly_when_the_part_closes(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=3600) as platform:
        identity = platform.begin()
        with platform.http.stream("GET", f"/v1/interactions/{identity}", params={"stream": "true"}) as answer:
            stream = events(answer.iter_lines())
            next(stream)
            begun = time.monotonic()
            platform.part.close()
            list(stream)
        assert time.monotonic() - begun < 60, "the run itself would have held it for an hour"


def test_a_deleted_run_ends_its_streams(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=3600) as platform:
        identity = platform.begin()
        with platform.http.stream("GET", f"/v1/interactions/{identity}", params={"stream": "true"}) as answer:
            stream = events(answer.iter_lines())
            next(stream)
            platform.http.delete(f"/v1/interactions/{identity}")
            assert [event for event in stream if event["event_type"] == "interaction.completed"] == []
