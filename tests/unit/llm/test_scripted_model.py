from __future__ import annotations

import threading

import pytest

from shared.errors import Transient
from shared.gateway.transport import Cut, TransportError
from shared.llm.port import Answer, Call, Delta, Message, ModelRequest, Text, TextDelta, Thought, ThoughtDelta
from tests.support.scripted_model import End, Endless, Pause, ScriptedModel

ASK = ModelRequest((Message("user", (Text("hello"),)),))


def said(model: ScriptedModel, cut: Cut | None = None) -> list[Delta]:
    return list(model.stream(ASK, cut or Cut()))


def test_lines_are_said_in_order_and_end_whole() -> None:
    call = Call("c1", "list_tasks", {})
    with ScriptedModel([Thought("hm"), Text("one "), Text("two"), call], [Text("done"), End("max_tokens")]) as model:
        first, second = said(model), said(model)
    assert first[:3] == [ThoughtDelta("hm"), TextDelta("one "), TextDelta("two")]
    assert isinstance(first[3], Answer) and first[3].message.parts == (Thought("hm"), Text("one two"), call)
    assert isinstance(second[-1], Answer) and second[-1].stop == "max_tokens"
    assert [len(request.messages) for request in model.requests] == [1, 1]


def test_an_unused_line_and_a_missing_one_fail_the_test() -> None:
    with pytest.raises(AssertionError, match="not used"), ScriptedModel([Text("never")]):
        pass
    with pytest.raises(AssertionError, match="no line"):
        said(ScriptedModel())


def test_a_failure_comes_where_it_stands() -> None:
    stream = ScriptedModel([Text("half"), Transient("busy")]).stream(ASK, Cut())
    assert next(stream) == TextDelta("half")
    with pytest.raises(Transient):
        next(stream)


def test_a_pause_ends_when_it_is_opened_and_when_the_request_is_cut() -> None:
    opened, left = Pause(), Pause()
    model, cut = ScriptedModel([opened, Text("on")], [left, Text("never")], [Endless()]), Cut()
    threading.Timer(0.02, opened.open).start()
    assert said(model)[0] == TextDelta("on")
    threading.Timer(0.02, cut.cut).start()
    with pytest.raises(TransportError) as ended:
        said(model, cut)
    assert left.reached.is_set() and ended.value.reason == "cancelled"
    with pytest.raises(TransportError):
        said(model, cut)
