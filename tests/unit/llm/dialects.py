"""The two services as raw servers on loopback, in the shapes in which they really answer, and the adapters to them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from shared.gateway.transport import build_client
from shared.llm.gemini.model import GeminiModel
from shared.llm.gemini.service import Access
from shared.llm.gemini.service import Service as GeminiService
from shared.llm.openai_compat.model import OpenAiModel
from shared.llm.openai_compat.service import Service as OpenAiService
from shared.llm.port import Message, Model, ModelRequest, Text, ToolSpec
from tests.unit.gateway.servers import Talk, answering, raw_server

ASK = ModelRequest((Message("user", (Text("hello"),)),), deadline_seconds=20)
TOOL = ToolSpec("find", "Finds notes.", {"type": "object", "properties": {"query": {"type": "string"}}})


@dataclass(frozen=True)
class Dialect:
    """One service: its name, how its frames look, and the adapter that speaks to it."""

    name: str

    def model(self, base: str) -> Model:
        if self.name == "gemini":
            return GeminiModel(GeminiService(Access(api_key="k", base_url=base)), "m-1")
        return OpenAiModel(OpenAiService(build_client(), base + "/v1", "k"), "m-1")

    def text(self, *texts: str) -> list[bytes]:
        """A frame for each piece of text; the answer is not ended by them."""
        if self.name == "gemini":
            return [gemini([{"text": text}]) for text in texts]
        return [openai({"content": text}) for text in texts]

    def end(self, reason: str = "") -> list[bytes]:
        """The frames that end an answer, with its usage."""
        if self.name == "gemini":
            usage = {"promptTokenCount": 7, "candidatesTokenCount": 5, "thoughtsTokenCount": 3, "totalTokenCount": 15}
            return [gemini([], finishReason=reason or "STOP", usageMetadata=usage)]
        usage = {"prompt_tokens": 7, "completion_tokens": 8, "completion_tokens_details": {"reasoning_tokens": 3}}
        closing = frame({"choices": [], "usage": usage}), b"data: [DONE]\n\n"
        return [openai({}, finish_reason=reason or "stop"), *closing]

    def max_tokens(self) -> list[bytes]:
        return self.end("MAX_TOKENS" if self.name == "gemini" else "length")

    def refusal(self) -> list[bytes]:
        return self.end("SAFETY" if self.name == "gemini" else "content_filter")

    def thought(self, text: str) -> bytes:
        if self.name == "gemini":
            return gemini([{"text": text, "thought": True}])
        return openai({"reasoning_content": text})

    def error(self, code: int, message: str) -> bytes:
        return json.dumps({"error": {"code": code, "message": message, "status": "X"}}).encode()


GEMINI, OPENAI = Dialect("gemini"), Dialect("openai")


def frame(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def gemini(parts: Sequence[dict[str, Any]], **more: Any) -> bytes:
    usage = more.pop("usageMetadata", None)
    candidate = {"content": {"role": "model", "parts": list(parts)}, "index": 0, **more}
    return frame({"candidates": [candidate]} | ({"usageMetadata": usage} if usage else {}))


def openai(delta: dict[str, Any], **more: Any) -> bytes:
    return frame({"choices": [{"index": 0, "delta": delta, "finish_reason": None, **more}]})


@contextmanager
def serving(dialect: Dialect, *talks: Talk) -> Iterator[tuple[Model, list[dict[str, Any]]]]:
    """The adapter to a server that answers the n-th question with the n-th talk; gives the bodies it was sent.

    What is asked about the model itself is answered with 404.
    """
    left, bodies = list(talks), list[dict[str, Any]]()

    def talk(connection: socket.socket, request: bytes) -> None:
        if not request.startswith((b"POST /v1/models/m-1:stream", b"POST /v1/chat/completions")):
            answering("404 Not Found", b"{}")(connection, request)
            return
        bodies.append(json.loads(request.partition(b"\r\n\r\n")[2]))
        left.pop(0)(connection, request)

    with raw_server(talk) as (base, _):
        yield dialect.model(base), bodies
    assert not left, f"{len(left)} answers were not asked for"
