"""generateContent, its stream, and embeddings on the wire."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from infra.local.aiplatform.embeddings import embed
from infra.local.bill import bill_of
from shared.contracts.operations import Usage
from shared.contracts.prices import priced, usd_of
from tests.unit.local.aiplatform.platform_server import Platform

PATH = "/v1beta/models/gemini-3.8-flash:generateContent"
SEARCH: dict[str, Any] = {
    "name": "search_notes",
    "parameters_json_schema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}, "note_kind": {"type": "string"}},
        "required": ["query"],
    },
}
DELETE = {"name": "delete_note", "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}}


def say(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def ask(platform: Platform, contents: list[Any], **more: Any) -> list[dict[str, Any]]:
    answer = platform.http.post(PATH, json={"contents": contents, **more})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["candidates"][0]["content"]["parts"])


@pytest.mark.parametrize("spelling", ["functionDeclarations", "function_declarations"])
def test_a_function_whose_name_is_said_is_called_with_what_the_text_gives(platform: Platform, spelling: str) -> None:
    tools = [{spelling: [SEARCH, DELETE]}]
    parts = ask(platform, [say('Search my notes for "neap tides", limit: 3')], tools=tools)
    assert [part["functionCall"]["name"] for part in parts] == ["search_notes"]
    assert parts[0]["functionCall"]["args"] == {"query": "neap tides", "limit": 3}
    assert parts[0]["thoughtSignature"]


def test_of_parallel_calls_only_the_first_is_signed(platform: Platform) -> None:
    tools = [{"functionDeclarations": [SEARCH, DELETE]}]
    parts = ask(platform, [say("Search the notes and delete the note.")], tools=tools)
    assert [part["functionCall"]["name"] for part in parts] == ["search_notes", "delete_note"]
    assert ["thoughtSignature" in part for part in parts] == [True, False]
    assert len({part["functionCall"]["id"] for part in parts}) == 2


@pytest.mark.parametrize("mode, called", [("AUTO", False), ("ANY", True), ("NONE", False)])
def test_the_mode_of_function_calling_is_kept(platform: Platform, mode: str, called: bool) -> None:
    config = {"function_calling_config": {"mode": mode}}
    tools = [{"functionDeclarations": [SEARCH]}]
    parts = ask(platform, [say("Hello there.")], tools=tools, tool_config=config)
    assert ("functionCall" in parts[0]) is called


def test_the_results_of_functions_are_answered_from(platform: Platform) -> None:
    tools = [{"functionDeclarations": [SEARCH]}]
    contents = [say('Search my notes for "brass lamp".')]
    contents.append({"role": "model", "parts": ask(platform, contents, tools=tools)})
    response = {"id": "fc-1-0", "name": "search_notes", "response": {"output": "The brass lamp is old. Cats sleep."}}
    contents.append({"role": "user", "parts": [{"functionResponse": response}]})
    (part,) = ask(platform, contents, tools=tools)
    assert "The brass lamp is old." in part["text"]


@pytest.mark.parametrize(
    "signature, message", [(None, "missing a `thought_signature`"), ("AAAA", "Corrupted thought signature")]
)
def test_a_call_that_comes_back_without_its_signature_is_refused(
    platform: Platform, signature: str | None, message: str
) -> None:
    call: dict[str, Any] = {"functionCall": {"id": "a", "name": "search_notes", "args": {}}}
    if signature:
        call["thoughtSignature"] = signature
    result = {"functionResponse": {"id": "a", "name": "search_notes", "response": {}}}
    contents = [say("x"), {"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    answer = platform.http.post(PATH, json={"contents": contents})
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


def test_json_is_answered_when_asked_for(platform: Platform) -> None:
    text = "The lamp is made of brass.\n\nWhat is the lamp made of?"
    config: dict[str, Any] = {"responseMimeType": "application/json"}
    (part,) = ask(platform, [say(text)], generationConfig=config)
    assert json.loads(part["text"]) == {"answer": "The lamp is made of brass.", "emulated": True}
    config["response_json_schema"] = {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": {"type": "string"}}, "sure": {"type": "boolean"}},
    }
    (part,) = ask(platform, [say(text)], generationConfig=config)
    assert json.loads(part["text"]) == {"facts": ["The lamp is made of brass."], "sure": False}


def test_the_length_of_an_answer_is_kept_to(platform: Platform) -> None:
    body = {"contents": [say("Hello?")], "generationConfig": {"max_output_tokens": 3}}
    candidate = platform.http.post(PATH, json=body).json()["candidates"][0]
    assert (candidate["finishReason"], len(candidate["content"]["parts"][0]["text"])) == ("MAX_TOKENS", 12)


def test_a_stream_is_frames_without_a_done(platform: Platform) -> None:
    path = "/v1/models/m:streamGenerateContent?alt=sse"
    text = platform.http.post(path, json={"contents": [say("Hello?")]}).text
    frames = [json.loads(frame.removeprefix("data: ")) for frame in text.strip().split("\n\n")]
    assert "usageMetadata" in frames[-1]
    assert "[DONE]" not in text


@pytest.mark.parametrize("body", [{}, {"contents": []}, {"contents": [{"role": "user"}]}, {"colour": 1}])
def test_a_bad_request_is_refused(platform: Platform, body: dict[str, Any]) -> None:
    assert platform.http.post(PATH, json=body).status_code == 400


def test_a_method_that_is_not_there_is_refused_by_name(platform: Platform) -> None:
    answer = platform.http.post("/v1/models/m:predict", json={})
    assert (answer.status_code, answer.json()["error"]["status"]) == (501, "UNIMPLEMENTED")
    assert "predict" in answer.json()["error"]["message"]


def test_texts_that_share_words_are_nearer_than_texts_that_do_not() -> None:
    tides, moon, cats = (embed(text, 256) for text in ("tides of the sea", "the sea and its tides", "cats sleep"))
    near = sum(a * b for a, b in zip(tides, moon, strict=True))
    far = sum(a * b for a, b in zip(tides, cats, strict=True))
    assert near > 0.9 > far + 0.5
    assert math.isclose(sum(value * value for value in tides), 1, abs_tol=1e-4)


def test_tokens_are_metered(platform: Platform) -> None:
    ask(platform, [say("x" * 400)])
    assert platform.meter.totals()["aiplatform", "input_tokens"] == 100
    assert platform.meter.totals()["aiplatform", "output_tokens"] > 0


def test_a_model_of_the_table_is_billed_at_its_own_price(platform: Platform) -> None:
    platform.http.post(PATH.replace("3.8-flash", "3.5-flash-lite"), json={"contents": [say("x" * 4_000)]})
    totals = platform.meter.totals()
    counts = {name: int(totals["aiplatform", name]) for name in ("input_tokens", "output_tokens")}
    billed = bill_of({unit: amount for unit, amount in totals.items() if unit[0] == "aiplatform"}).total_usd
    assert billed == pytest.approx(usd_of(priced(Usage(**counts), "gemini-3.5-flash-lite")), abs=2e-6)
