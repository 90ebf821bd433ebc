"""What only chat completions have: calls in pieces, servers that differ in what they leave out, and what they tell."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from typing import Any

import pytest

from shared.errors import InputError, ModelOutputError
from shared.gateway.transport import Cut, build_client
from shared.llm.openai_compat.embedder import OpenAiEmbedder
from shared.llm.openai_compat.model import OpenAiModel
from shared.llm.openai_compat.service import Service
from shared.llm.port import Answer, Call, Capabilities, Message, ModelRequest, Result, Text, TextDelta
from shared.llm.retries import ONCE
from tests.unit.gateway.servers import answering, raw_server, streaming
from tests.unit.llm.dialects import ASK, OPENAI, TOOL, openai, serving

USER = ASK.messages[0]


def answered(*frames: bytes) -> Answer:
    with serving(OPENAI, streaming(*frames)) as (model, _):
        *_, answer = model.stream(ASK, Cut())
    assert isinstance(answer, Answer)
    return answer


def piece(arguments: str = "", **call: Any) -> dict[str, Any]:
    name = call.pop("name", None)
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {**call, "function": function}


def calls(*pieces: dict[str, Any]) -> list[Call]:
    """The calls that these pieces make, one frame each."""
    frames = [openai({"tool_calls": [one]}) for one in pieces]
    return [part for part in answered(*frames, *OPENAI.end("tool_calls")).message.parts if isinstance(part, Call)]


def test_calls_come_in_pieces_and_several_at_once() -> None:
    found = calls(
        piece(index=0, id="a", name="find", type="function"),
        piece('{"que', index=0),
        piece(index=1, id="b", name="list"),
        piece('ry": "ü"}', index=0),
        piece("{}", index=1),
    )
    assert found == [Call("a", "find", {"query": "ü"}), Call("b", "list", {})]


def test_calls_that_share_an_index_are_told_apart_by_their_ids() -> None:
    found = calls(piece("{}", index=0, id="a", name="find"), piece("{}", index=0, id="b", name="list"))
    assert [(one.id, one.name) for one in found] == [("a", "find"), ("b", "list")]


def test_calls_without_index_or_id_are_read_too() -> None:
    found = calls(piece('{"a"', name="find"), piece(": 1}"))
    assert found == [Call("call-1", "find", {"a": 1})]


def test_arguments_given_as_an_object_are_read() -> None:
    assert calls({"index": 0, "id": "a", "function": {"name": "find", "arguments": {"a": 1}}})[0].arguments == {"a": 1}


@pytest.mark.parametrize("arguments", ['{"a": ', "[1]", "nothing"])
def test_arguments_that_are_no_object_are_a_problem_and_are_not_sent_back(arguments: str) -> None:
    answer = answered(
        openai({"tool_calls": [piece(arguments, index=0, id="a", name="find")]}), *OPENAI.end("tool_calls")
    )
    (call,) = answer.message.parts
    assert isinstance(call, Call) and call.problem and call.arguments == {}
    assert json.loads(answer.message.verbatim)["tool_calls"][0]["function"] == {"name": "find", "arguments": "{}"}


def test_what_a_server_hangs_on_a_call_goes_back_with_it() -> None:
    extra = {"google": {"thought_signature": "+/+/"}}
    answer = answered(
        openai({"content": "so", "tool_calls": [piece("{}", index=0, id="a", name="find", extra_content=extra)]}),
        *OPENAI.end("tool_calls"),
    )
    results = Message("tool", (Result("a", "find", {"n": 1}),))
    with serving(OPENAI, streaming(*OPENAI.text("ok"), *OPENAI.end())) as (model, bodies):
        list(model.stream(ModelRequest((USER, answer.message, results), "sys"), Cut()))
    system, _, assistant, tool = bodies[0]["messages"]
    assert system == {"role": "system", "content": "sys"}
    assert assistant["content"] == "so" and assistant["tool_calls"][0]["extra_content"] == extra
    assert tool == {"role": "tool", "tool_call_id": "a", "content": '{"n": 1}'}


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"role": "assistant", "content": "whole"}
    body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
    with serving(OPENAI, answering("200 OK", body, "Content-Type: application/json\r\n")) as (model, _):
        assert next(iter(model.stream(ASK, Cut()))) == TextDelta("whole")


def test_tools_and_schema_are_sent() -> None:
    request = replace(ASK, tools=(TOOL,), schema={"type": "object"}, max_output_tokens=9)
    with serving(OPENAI, streaming(*OPENAI.text("{}"), *OPENAI.end())) as (model, bodies):
        list(model.stream(request, Cut()))
    body = bodies[0]
    assert body["tools"][0]["function"]["name"] == "find" and body["max_tokens"] == 9
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert body["stream_options"] == {"include_usage": True}


def told(**answers: Any) -> tuple[OpenAiModel, Any]:
    """A model of a server that answers these paths (with _ for /), and 404 else."""

    def talk(connection: socket.socket, request: bytes) -> None:
        path = request.split(b" ", 2)[1].decode()
        body = answers.get(path.strip("/").replace("/", "_"))
        status, content = ("200 OK", json.dumps(body).encode()) if body is not None else ("404 Not Found", b"")
        answering(status, content, "Content-Type: application/json\r\n")(connection, request)

    server = raw_server(talk)
    base, _ = server.__enter__()
    return OpenAiModel(Service(build_client(), base + "/v1/"), "m-1"), server


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (
            {"api_show": {"capabilities": ["completion", "tools", "thinking"], "model_info": {"g.context_length": 9}}},
            Capabilities(thinking=True, context_tokens=9),
        ),
        (
            {"api_show": {"capabilities": ["completion"], "parameters": "stop x\nnum_ctx   4096"}},
            Capabilities(tools=False, context_tokens=4096),
        ),
        (
            {
                "props": {
                    "default_generation_settings": {"n_ctx": 8192},
                    "chat_template_caps": {"supports_tools": True, "supports_parallel_tool_calls": False},
                }
            },
            Capabilities(parallel_calls=False, context_tokens=8192),
        ),
        ({"v1_models": {"data": [{"id": "m-1", "max_model_len": 32768}]}}, Capabilities(context_tokens=32768)),
        ({"v1_models": {"data": [{"id": "m-1", "meta": {"n_ctx_train": 2048}}]}}, Capabilities(context_tokens=2048)),
        ({}, Capabilities()),
    ],
    ids=["Ollama", "Ollama without tools", "llama.cpp", "vLLM", "llama.cpp's list", "a silent one"],
)
def test_capabilities_are_what_the_server_tells(answers: dict[str, Any], expected: Capabilities) -> None:
    model, server = told(**answers)
    assert model.capabilities == expected
    server.__exit__(None, None, None)


def test_a_model_without_tools_is_refused_before_anything_is_asked() -> None:
    model, server = told(api_show={"capabilities": ["completion"]})
    with pytest.raises(InputError, match="m-1 cannot use tools"):
        list(model.stream(replace(ASK, tools=(TOOL,)), Cut()))
    server.__exit__(None, None, None)


def test_for_a_model_of_one_call_a_turn_each_call_stands_before_its_result() -> None:
    from shared.llm.openai_compat.messages import messages_of

    two = Message("model", (Text("so"), Call("a", "find", {}), Call("b", "list", {})))
    results = Message("tool", (Result("a", "find", {}), Result("b", "list", {})))
    wire = messages_of("", (USER, two, results, USER), "p", parallel=False)
    shape = [
        (entry["role"], entry.get("content"), [call["id"] for call in entry.get("tool_calls", ())]) for entry in wire
    ]
    assert shape == [
        ("user", "hello", []),
        ("assistant", "so", ["a"]),
        ("tool", "{}", []),
        ("assistant", "", ["b"]),
        ("tool", "{}", []),
        ("user", "hello", []),
    ]


def embedder(base: str) -> OpenAiEmbedder:
    service = Service(build_client(), base)
    return OpenAiEmbedder(service, "e-1", query_prefix="q: ", text_prefix="t: ", retries=ONCE)


def test_embeddings_are_put_in_order_and_made_of_unit_length() -> None:
    rows = [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]}]
    with raw_server(answering("200 OK", json.dumps({"data": rows}).encode())) as (base, requests):
        assert embedder(base).embed(["a", "b"]) == [[0.6, 0.8], [0.0, 1.0]]
        embedder(base).embed(["a", "b"], query=True)
    given = [json.loads(request.partition(b"\r\n\r\n")[2])["input"] for request in requests]
    assert given == [["t: a", "t: b"], ["q: a", "q: b"]]


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"data": [{"index": 0, "embedding": [0]}]}', b'{"data": []}'])
def test_embeddings_that_are_none_are_an_error_of_ours(body: bytes) -> None:
    with raw_server(answering("200 OK", body)) as (base, _), pytest.raises(ModelOutputError):
        embedder(base).embed(["a"])
