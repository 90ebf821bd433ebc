"""The models API over HTTP: generateContent, streamGenerateContent, countTokens, embedding, and what a model is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from infra.local.aiplatform.embeddings import DEFAULT_DIMENSIONS, embed
from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.generating import Generating
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.prompt_tokens import prompt_tokens
from infra.local.aiplatform.routing import DEVELOPER, both
from infra.local.aiplatform.signatures import check_signatures
from infra.local.aiplatform.usage import tokens
from infra.local.aiplatform.wire import camel
from infra.local.meter import Meter

_FIELDS = """contents systemInstruction tools toolConfig generationConfig safetySettings labels cachedContent model
    serviceTier store"""
_KNOWN = frozenset(_FIELDS.split())
_MOST_DIMENSIONS = 3072
_INPUT_TOKENS, _OUTPUT_TOKENS = 1_048_576, 65_536


class Models:
    def __init__(self, generating: Generating, meter: Meter) -> None:
        self._generating, self._meter = generating, meter
        self._methods: dict[str, Callable[[str, Mapping[str, Any]], Response]] = {
            "generateContent": self.generate,
            "streamGenerateContent": self.stream,
            "countTokens": self.count,
            "embedContent": self.embed_one,
            "batchEmbedContents": self.embed_batch,
        }

    def register(self, blueprint: Blueprint) -> None:
        both(blueprint, "/models/<call>", self.model, "POST", vertex="/publishers/google/models/<call>")
        both(blueprint, "/models/<name>", self.about, "GET", vertex="/publishers/google/models/<name>")
        # The SDK asks Vertex about a model of Google's without naming a project.
        blueprint.add_url_rule(f"{DEVELOPER}/publishers/google/models/<name>", view_func=self.about_published)

    def model(self, call: str) -> Response:
        name, _colon, method = call.rpartition(":")
        g.verb, g.interaction = method, ""
        if method not in self._methods:
            raise ApiError(501, f"models.{method} is not implemented by the local cloud.")
        body = json_body()
        if not isinstance(body, dict):
            raise invalid("Invalid JSON payload received. An object is expected.")
        return self._methods[method](name, camel(body))

    def about(self, name: str) -> Response:
        """What the service tells of a model; every name is one."""
        g.verb, g.interaction = "getModel", ""
        return jsonify(
            {
                "name": f"models/{name}",
                "version": "emulated",
                "displayName": f"{name} (emulated)",
                "inputTokenLimit": _INPUT_TOKENS,
                "outputTokenLimit": _OUTPUT_TOKENS,
                "supportedGenerationMethods": ["generateContent", "countTokens", "embedContent"],
                "thinking": True,
            }
        )

    def about_published(self, version: str, name: str) -> Response:
        """The same as Vertex tells it, without limits."""
        g.verb, g.interaction = "getModel", ""
        return jsonify({"name": f"publishers/google/models/{name}", "versionId": version, "launchStage": "GA"})

    def generate(self, model: str, body: Mapping[str, Any]) -> Response:
        _check(body)
        return self._generating.whole(model, body)

    def stream(self, model: str, body: Mapping[str, Any]) -> Response:
        _check(body)
        if request.args.get("alt") == "sse":
            return self._generating.stream(model, body)
        return jsonify([self._generating.whole(model, body).get_json()])

    def count(self, model: str, body: Mapping[str, Any]) -> Response:
        return jsonify({"totalTokens": prompt_tokens(body.get("generateContentRequest") or body)})

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
