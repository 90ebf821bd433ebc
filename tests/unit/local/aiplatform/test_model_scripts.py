"""A model that says what a test scripted, seen through google-genai's client and through the product's own adapter."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from infra.local.aiplatform.model_script import CUT, HANG, ModelScript, call, endless, pause, raw, say, think
from infra.local.aiplatform.script import HttpFailure
from infra.local.clock import VirtualClock
from shared.errors import MemexError, Transient
from shared.gateway.transport import Cut, TransportError
from shared.llm.gemini.model import GeminiModel
from shared.llm.gemini.service import Access, Service
from shared.llm.port import Answer, Call, Message, ModelRequest, Result, Text, TextDelta, Thought, ToolSpec
from tests.unit.local.aiplatform.platform_server import Platform

ASK = ModelRequest((Message("user", (Text("go"),)),), tools=(ToolSpec("find", "Finds.", {"type": "object"}),))


def model(platform: Platform) -> GeminiModel:
    return GeminiModel(Service(Access(api_key="local", base_url=platform.base)), "gemini-3.8-flash")


def answer(platform: Platform, request: ModelRequest = ASK) -> Answer:
    *_, last = model(platform).stream(request, Cut())
    assert isinstance(last, Answer)
    return last


def test_scripts_are_said_in_their_order_and_calls_come_back_signed(platform: Platform) -> None:
    platform.part.script_model(
        ModelScript((think("hm"), say("I look. "), call("find", query="a"), call("find", query="b"))),
        ModelScript((say("Found it."),)),
    )
    first = answer(platform)
    ids = [part.id for part in first.message.parts if isinstance(part, Call)]
    assert first.message.parts[:2] == (Thought("hm"), Text("I look. ")) and len(set(ids)) == 2
    assert first.usage.thought_tokens == 1 and first.usage.output_tokens > 1
    results = Message("tool", tuple(Result(name, "find", {}) for name in ids))
    second = answer(platform, ModelRequest((*ASK.messages, first.message, results), tools=ASK.tools))
    assert second.message.parts == (Text("Found it."),)
    assert platform.part.unused_scripts() == []


def test_a_script_that_was_not_used_is_named(platform: Platform) -> None:
    platform.part.script_model(ModelScript((say("x"),), name="the answer"))
    assert platform.part.unused_scripts() == ["the answer: no request took it"]


def test_each_kind_of_request_takes_its_own_scripts(platform: Platform) -> None:
    platform.part.script_model(ModelScript((say("tools"),)), ModelScript((say('"json"'),), asks="json"))
    plain = ModelRequest(ASK.messages, schema={"type": "string"})
    assert answer(platform, plain).message.parts == (Text('"json"'),)
    assert answer(platform).message.parts == (Text("tools"),)


def test_a_script_about_something_waits_for_a_request_that_holds_it(platform: Platform) -> None:
    for_another = ModelScript((say("for the run"),), about='"rye" of the run', name="the run's")
    platform.part.script_model(for_another, ModelScript((say("for who asks"),)))
    assert answer(platform).message.parts == (Text("for who asks"),)
    assert platform.part.unused_scripts() == ["the run's: no request took it"]
    about_it = ModelRequest((Message("user", (Text('Tell me of the "rye" of the run.'),)),), tools=ASK.tools)
    assert answer(platform, about_it).message.parts == (Text("for the run"),)


def test_failures_come_before_the_answer(platform: Platform) -> None:
    failures = (HttpFailure(429, retry_after=3), HttpFailure(500), HttpFailure(0))
    platform.part.script_model(ModelScript((say("at last"),), failures))
    waits = []
    for _ in failures:
        with pytest.raises(Transient) as failed:
            answer(platform)
        waits.append(failed.value.retry_after_seconds)
    assert waits[0] == 3
    assert answer(platform).message.parts == (Text("at last"),)
    assert platform.part.unused_scripts() == []


def test_a_stream_can_be_cut_hang_and_never_end(platform: Platform) -> None:
    platform.part.script_model(
        ModelScript((say("a"), CUT)),
        ModelScript((say("a"), raw("data: {\n\n"))),
        ModelScript((say("a"),), finish=""),
        ModelScript((), finish="MALFORMED_FUNCTION_CALL", finish_message="find("),
        ModelScript((say("a"), HANG)),
        ModelScript((endless("on and on "),)),
    )
    for _ in range(3):
        with pytest.raises(MemexError):
            answer(platform)
    (malformed,) = answer(platform).message.parts
    assert isinstance(malformed, Call) and malformed.problem == "find("
    for _ in range(2):
        cut, deltas = Cut(), []
        began = time.monotonic()
        with pytest.raises(TransportError):
            for delta in model(platform).stream(ASK, cut):
                deltas.append(delta)
                if len(deltas) == 1:
                    threading.Timer(0.1, cut.cut).start()
        assert deltas and time.monotonic() - began < 5
    assert platform.part.unused_scripts() == []


def test_text_comes_in_small_pieces_at_the_pace(platform: Platform) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    platform.part.script_model(ModelScript((say(text),), pace_seconds=0.05), ModelScript((say(text),)))
    began = time.monotonic()
    deltas = [delta.text for delta in model(platform).stream(ASK, Cut()) if isinstance(delta, TextDelta)]
    assert len(deltas) > 2 and "".join(deltas) == text
    assert time.monotonic() - began >= 0.05 * (len(deltas) - 1)
    assert platform.http.post("/_cloud/aiplatform/pace", json={"seconds": 0.01}).json() == {"seconds": 0.01}
    assert answer(platform).message.parts == (Text(text),)


def test_other_processes_script_by_http(platform: Platform) -> None:
    body: dict[str, Any] = {"items": [{"part": {"text": "hi"}}], "asks": "any"}
    assert platform.http.post("/_cloud/aiplatform/model-scripts", json=body).json()["unused"]
    assert answer(platform).message.parts == (Text("hi"),)
    for wrong in ({"items": [{"nothing": 1}]}, {"items": [{"part": "x"}]}, {"asks": "all"}, [1]):
        assert platform.http.post("/_cloud/aiplatform/model-scripts", json=wrong).status_code == 400


def test_scripts_that_wait_are_forgotten_on_request(platform: Platform) -> None:
    address = "/_cloud/aiplatform/model-scripts"
    for body in ({"items": [{"part": {"text": "never said"}}]}, {"failures": [{"status": 503}]}):
        assert platform.http.post(address, json={**body, "asks": "any"}).status_code == 200
    assert platform.http.delete(address).json() == {"cleared": 2}
    assert platform.http.delete(address).json() == {"cleared": 0} and platform.part.unused_scripts() == []
    assert answer(platform).message.parts != (Text("never said"),)


def test_a_pause_goes_by_the_clock(tmp_path: Any) -> None:
    from datetime import timedelta

    from tests.unit.local.aiplatform.platform_server import serving

    clock = VirtualClock()
    with serving(tmp_path, clock) as platform:
        platform.part.script_model(ModelScript((say("a"), pause(3600), say("b"))))
        said: list[Answer] = []

        def ask() -> None:
            said.append(answer(platform))

        clock.spawn(ask, "ask")
        assert clock.run_until(lambda: bool(said), limit=timedelta(hours=2))
        assert said[0].message.parts == (Text("ab"),)
    clock.close()


def test_the_service_tells_what_a_model_can_do(platform: Platform) -> None:
    able = model(platform).capabilities
    assert able.thinking and able.context_tokens == 1_048_576
    vertex = Service(Access(project="memex-local", location="us-central1", token=lambda: "t", base_url=platform.base))
    assert GeminiModel(vertex, "gemini-3.8-flash").capabilities.thinking
