"""What only Gemini's wire has: signatures, results paired by id, calls the service could not read, models.get."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import ModelOutputError, SettingsError, Transient
from shared.gateway.transport import Cut
from shared.llm.gemini.embedder import GeminiEmbedder
from shared.llm.gemini.model import GeminiModel
from shared.llm.gemini.service import Access, Service
from shared.llm.port import Answer, Call, Capabilities, Message, ModelRequest, Result, Text, Thought
from shared.llm.retries import Retries
from tests.unit.gateway.servers import answering, raw_server, streaming
from tests.unit.llm.dialects import ASK, GEMINI, TOOL, gemini, serving

USER = ASK.messages[0]
SIGNATURE = "+/+/c2lnbmVkIQ=="
"""In the alphabet that the service uses; the SDK would send it back in another."""


def answered(*frames: bytes, request: ModelRequest = ASK) -> Answer:
    with serving(GEMINI, streaming(*frames)) as (model, _):
        *_, answer = model.stream(request, Cut())
    assert isinstance(answer, Answer)
    return answer


def sent(*messages: Message) -> list[dict[str, Any]]:
    """The contents that reach the service for this conversation."""
    with serving(GEMINI, streaming(*GEMINI.text("ok"), *GEMINI.end())) as (model, bodies):
        list(model.stream(ModelRequest(messages), Cut()))
    return list(bodies[0]["contents"])


def call(name: str, identity: str | None = None, **arguments: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": arguments} | ({"id": identity} if identity else {})}


def test_what_gemini_said_goes_back_byte_for_byte() -> None:
    first = {**call("find", "fc-1", query="a"), "thoughtSignature": SIGNATURE, "aFieldOfTomorrow": {"x": [1]}}
    second = call("find", "fc-2", query="b")
    answer = answered(
        gemini([{"text": "I think", "thought": True}]),
        gemini([first, second]),
        gemini([{"text": "", "thoughtSignature": SIGNATURE}]),
        *GEMINI.end(),
    )
    assert answer.message.parts == (
        Thought("I think"),
        Call("fc-1", "find", {"query": "a"}),
        Call("fc-2", "find", {"query": "b"}),
    )
    results = Message("tool", (Result("fc-1", "find", {"n": 1}), Result("fc-2", "find", {"why": "x"}, failed=True)))
    _, model, tool = sent(USER, answer.message, results)
    assert model["parts"] == [
        {"text": "I think", "thought": True},
        first,
        second,
        {"text": "", "thoughtSignature": SIGNATURE},
    ]
    assert tool["role"] == "user"
    assert [part["functionResponse"] for part in tool["parts"]] == [
        {"id": "fc-1", "name": "find", "response": {"n": 1}},
        {"id": "fc-2", "name": "find", "response": {"error": {"why": "x"}}},
    ]


def test_pieces_of_text_are_replayed_as_one_and_signed_ones_apart() -> None:
    signed = {"text": "c", "thoughtSignature": SIGNATURE}
    answer = answered(*GEMINI.text("a", "b"), gemini([signed]), *GEMINI.text("d"), *GEMINI.end())
    assert json.loads(answer.message.verbatim)["parts"] == [{"text": "ab"}, signed, {"text": "d"}]


def test_a_call_without_an_id_is_answered_without_one() -> None:
    answer = answered(gemini([call("find")]), *GEMINI.end())
    (part,) = answer.message.parts
    assert isinstance(part, Call) and part.id
    tool = sent(USER, answer.message, Message("tool", (Result(part.id, "find", {}),)))[-1]
    assert tool["parts"] == [{"functionResponse": {"name": "find", "response": {}}}]


def test_a_call_that_the_service_could_not_read_has_a_problem_and_is_answered_in_words() -> None:
    frame = gemini([], finishReason="MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: find(")
    answer = answered(frame)
    assert answer.message.parts == (Call("malformed", "", {}, "Malformed function call: find("),)
    result = Result("malformed", "", {"error": "mend it"}, failed=True)
    contents = sent(USER, answer.message, Message("tool", (result,)))
    assert [content["role"] for content in contents] == ["user", "user"]
    assert "mend it" in contents[1]["parts"][0]["text"]


def test_an_answer_that_the_sdk_cannot_read_is_an_error_of_ours() -> None:
    with pytest.raises(ModelOutputError, match="cannot be read"):
        answered(gemini([{"functionCall": {"name": "find", "args": ["a"]}}]), *GEMINI.end())


def test_a_prompt_that_is_blocked_is_refused() -> None:
    frame = b'data: {"promptFeedback": {"blockReason": "SAFETY"}}\n\n'
    assert answered(frame).stop == "refused"


def test_a_foreign_call_is_sent_with_the_signature_of_a_synthetic_one() -> None:
    calls = Message("model", (Call("a", "find", {"q": 1}), Call("b", "find", {})), "openai/x", "{}")
    results = Message("tool", (Result("a", "find", {}), Result("b", "find", {})))
    _, model, tool = sent(USER, calls, results)
    assert [part.get("thoughtSignature") for part in model["parts"]] == ["skip_thought_signature_validator", None]
    assert [part["functionResponse"]["id"] for part in tool["parts"]] == ["a", "b"]


def test_tools_schema_and_bounds_are_sent() -> None:
    request = ModelRequest((USER,), "be brief", (TOOL,), {"type": "object"}, max_output_tokens=99)
    with serving(GEMINI, streaming(*GEMINI.text("{}"), *GEMINI.end())) as (model, bodies):
        list(model.stream(request, Cut()))
    body = bodies[0]
    assert body["systemInstruction"]["parts"] == [{"text": "be brief"}]
    assert body["tools"][0]["functionDeclarations"][0]["name"] == "find"
    config = body["generationConfig"]
    assert (config["maxOutputTokens"], config["responseMimeType"]) == (99, "application/json")


def ask_about(answer: bytes, use: Callable[[GeminiModel], Any], access: dict[str, Any]) -> tuple[Any, list[bytes]]:
    with raw_server(answering("200 OK", answer, "Content-Type: application/json\r\n")) as (base, requests):
        return use(GeminiModel(Service(Access(base_url=base, **access)), "m-1")), requests


def test_capabilities_are_asked_of_the_service_once() -> None:
    about = b'{"name": "models/m-1", "inputTokenLimit": 1048576, "thinking": false}'
    able, requests = ask_about(about, lambda model: [model.capabilities, model.capabilities][1], {"api_key": "k"})
    assert able == Capabilities(thinking=False, context_tokens=1_048_576)
    assert len(requests) == 1 and requests[0].startswith(b"GET /v1/models/m-1 ")


def test_vertex_is_asked_in_its_place_with_a_fresh_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "of the research")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "another")
    tokens = iter(["t1", "t2"])
    access = {"project": "p", "location": "global", "token": lambda: next(tokens)}
    stream = b"".join([*GEMINI.text("hi"), *GEMINI.end()])
    answer, requests = ask_about(stream, lambda model: list(model.stream(ASK, Cut()))[-1], access)
    head = requests[-1].lower()
    path = b"post /v1beta1/projects/p/locations/global/publishers/google/models/m-1:streamgeneratecontent?alt=sse"
    assert head.startswith(path) and b"authorization: bearer t2" in head
    assert answer.message.provider == "vertex/m-1"


def test_a_token_that_cannot_be_had_is_our_own_error() -> None:
    def fails() -> str:
        raise Transient("no token")

    model = GeminiModel(Service(Access(project="p", token=fails, base_url="http://127.0.0.1:9")), "m-1")
    with pytest.raises(Transient, match="no token"):
        list(model.stream(ASK, Cut()))


def embedded(body: bytes, *texts: str, query: bool = False, status: str = "200 OK") -> tuple[Any, list[bytes]]:
    with raw_server(answering(status, body, "Content-Type: application/json\r\n")) as (base, requests):
        service = Service(Access(api_key="k", base_url=base))
        embedder = GeminiEmbedder(service, "e-1", 2, Retries(first_seconds=0.01))
        try:
            return embedder.embed(texts, query=query), requests
        except (Transient, SettingsError) as error:
            return error, requests


def test_embeddings_are_made_of_unit_length() -> None:
    vectors, requests = embedded(b'{"embeddings": [{"values": [3, 4]}, {"values": [0, 2]}]}', "a", "b", query=True)
    assert vectors == [[0.6, 0.8], [0.0, 1.0]]
    body = json.loads(requests[0].partition(b"\r\n\r\n")[2])
    assert [one["taskType"] for one in body["requests"]] == ["RETRIEVAL_QUERY"] * 2
    assert body["requests"][0]["outputDimensionality"] == 2


def test_embeddings_are_asked_for_again_when_the_service_fails_in_passing() -> None:
    error, requests = embedded(GEMINI.error(503, "busy"), "a", status="503 Busy")
    assert isinstance(error, Transient) and len(requests) == 3
    error, requests = embedded(GEMINI.error(401, "no"), "a", status="401 No")
    assert isinstance(error, SettingsError) and len(requests) == 1


def test_what_was_said_in_text_alone_keeps_its_order() -> None:
    contents = sent(USER, Message("model", (Text("hi"),), "vertex/m-1", '{"role": "model", "parts": []}'), USER)
    assert [content["role"] for content in contents] == ["user", "model", "user"]
