"""The models API over HTTP: generateContent, streamGenerateContent, countTokens and the two forms of embedding."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from infra.local.aiplatform.embeddings import DEFAULT_DIMENSIONS, embed
from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.routing import both
from infra.local.aiplatform.rules import respond
from infra.local.aiplatform.signatures import check_signatures
from infra.local.aiplatform.usage import tokens
from infra.local.aiplatform.wire import camel
from infra.local.meter import Meter

_CHUNK = 160  # characters of text in one frame of a stream
_FIELDS = """contents systemInstruction tools toolConfig generationConfig safetySettings labels cachedContent model
    serviceTier store"""
_KNOWN = frozenset(_FIELDS.split())
_MOST_DIMENSIONS = 3072


class Models:
    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._methods: dict[str, Callable[[str, Mapping[str, Any]], Response]] = {
            "generateContent": self.generate,
            "streamGenerateContent": self.stream,
            "countTokens": self.count,
            "embedContent": self.embed_one,
            "batchEmbedContents": self.embed_batch,
        }

    def register(self, blueprint: Blueprint) -> None:
        both(blueprint, "/models/<call>", self.model, "POST", vertex="/publishers/google/models/<call>")

    def model(self, call: str) -> Response:
        name, _colon, method = call.rpartition(":")
        g.verb, g.interaction = method, ""
        if method not in self._methods:
            raise ApiError(501, f"models.{method} is not implemented by the local cloud.")
        body = json_body()
        if not isinstance(body, dict):
            raise invalid("Invalid JSON payload received. An object is expected.")
        return self._methods[method](name, camel(body))

    def generate(self, model: str, body: Mapping[str, Any]) -> Response:
        return jsonify(self._answer(model, body))

    def stream(self, model: str, body: Mapping[str, Any]) -> Response:
        answer = self._answer(model, body)
        if request.args.get("alt") != "sse":
            return jsonify([answer])
        return Response(_frames(answer), mimetype="text/event-stream")

    def count(self, model: str, body: Mapping[str, Any]) -> Response:
        return jsonify({"totalTokens": _prompt_tokens(body.get("generateContentRequest") or body)})

    def embed_one(self, model: str, body: Mapping[str, Any]) -> Response:
        config = {**body, **(body.get("embedContentConfig") or {})}
        used = self._read(_text(body.get("content")))
        usage = {"promptTokenCount": used, "totalTokenCount": used}
        return jsonify({"embedding": {"values": _vector(config, body)}, "usageMetadata": usage})

    def embed_batch(self, model: str, body: Mapping[str, Any]) -> Response:
        requests = body.get("requests")
        if not isinstance(requests, list) or not requests:
            raise invalid("requests must not be empty.", "requests")
        for one in requests:
            self._read(_text(one.get("content")))
        return jsonify({"embeddings": [{"values": _vector(one, one)} for one in requests]})

    def _read(self, text: str) -> int:
        used = tokens(text)
        self._meter.add("aiplatform", "input_tokens", used)
        return used

    def _answer(self, model: str, body: Mapping[str, Any]) -> dict[str, Any]:
        _check(body)
        parts = respond(body)
        reason = _cut(parts, body.get("generationConfig") or {})
        spent, made = _prompt_tokens(body), tokens(_made(parts))
        self._meter.add("aiplatform", "input_tokens", spent)
        self._meter.add("aiplatform", "output_tokens", made)
        usage = {"promptTokenCount": spent, "candidatesTokenCount": made, "totalTokenCount": spent + made}
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}
        identity = hashlib.sha256(json.dumps([model, body], sort_keys=True).encode()).hexdigest()[:22]
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model, "responseId": identity}


def _check(body: Mapping[str, Any]) -> None:
    for name in body:
        if name not in _KNOWN:
            raise invalid(f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.', name)
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise invalid("contents must not be empty.", "contents")
    if not all(isinstance(content, dict) and content.get("parts") for content in contents):
        raise invalid("Each content must have parts.", "contents")
    check_signatures(contents)


def _cut(parts: list[dict[str, Any]], config: Mapping[str, Any]) -> str:
    """Cut the text to maxOutputTokens in place; the finish reason."""
    most = int(config.get("maxOutputTokens") or 0) * 4
    if most and "text" in parts[0] and len(parts[0]["text"]) > most:
        parts[0]["text"] = parts[0]["text"][:most]
        return "MAX_TOKENS"
    return "STOP"


def _frames(answer: Mapping[str, Any]) -> Iterator[str]:
    """The answer in pieces: text in chunks, a function call whole; the last frame has reason and usage."""
    candidate = answer["candidates"][0]
    pieces: list[dict[str, Any]] = []
    for part in candidate["content"]["parts"]:
        text = part.get("text", "")
        pieces += [{"text": text[at : at + _CHUNK]} for at in range(0, len(text), _CHUNK)] if text else [part]
    for n, piece in enumerate(pieces, start=1):
        last = n == len(pieces)
        one: dict[str, Any] = {"content": {"role": "model", "parts": [piece]}, "index": 0}
        if last:
            one["finishReason"] = candidate["finishReason"]
        frame = {"candidates": [one], "modelVersion": answer["modelVersion"], "responseId": answer["responseId"]}
        if last:
            frame["usageMetadata"] = answer["usageMetadata"]
        yield f"data: {json.dumps(frame, ensure_ascii=False)}\n\n"


def _vector(config: Mapping[str, Any], holder: Mapping[str, Any]) -> list[float]:
    text = _text(holder.get("content"))
    if not text.strip():
        raise invalid("content must have text.", "content")
    size = config.get("outputDimensionality") or DEFAULT_DIMENSIONS
    if not isinstance(size, int) or not 1 <= size <= _MOST_DIMENSIONS:
        raise invalid(f"outputDimensionality must be from 1 to {_MOST_DIMENSIONS}.", "outputDimensionality")
    return embed(text, size)


def _text(content: Any) -> str:
    parts = content.get("parts", ()) if isinstance(content, dict) else ()
    return "\n".join(str(part["text"]) for part in parts if part.get("text"))


def _prompt_tokens(body: Mapping[str, Any]) -> int:
    given = [*(body.get("contents") or ()), body.get("systemInstruction") or {}]
    parts = [part for content in given for part in content.get("parts", ())]
    return tokens(_made(parts)) + (tokens(json.dumps(body["tools"])) if body.get("tools") else 0)


def _made(parts: list[dict[str, Any]]) -> str:
    """All that counts as tokens in these parts."""
    return "".join(str(part.get("text") or json.dumps(part, ensure_ascii=False)) for part in parts)
