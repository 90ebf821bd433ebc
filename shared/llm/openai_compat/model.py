"""A model of an OpenAI-compatible server behind the port."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shared.clock import Clock
from shared.errors import InputError
from shared.gateway.transport import Cut, Exchange
from shared.llm.bounded import bounded
from shared.llm.known import Known
from shared.llm.openai_compat import capabilities
from shared.llm.openai_compat.messages import messages_of
from shared.llm.openai_compat.pieces import Pieces, chunks_of
from shared.llm.openai_compat.service import MOST_BYTES, Service, parsed
from shared.llm.port import Capabilities, Delta, ModelRequest, ToolSpec


class OpenAiModel:
    """One model of one server. It is thread-safe; each stream is read by one thread."""

    def __init__(self, service: Service, name: str, clock: Clock | None = None) -> None:
        self.name = name
        self.provider = f"openai/{name}"
        self._service = service
        self._known = Known(lambda cut: capabilities.ask(service, name, cut), Capabilities(), clock)

    @property
    def capabilities(self) -> Capabilities:
        """As the server tells; asked at the first need, and now and then while it does not answer."""
        return self._known.get(Cut())

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """See the port."""
        able = self._known.get(cut)
        if request.tools and not able.tools:
            raise InputError(
                f"The model {self.name} cannot use tools: choose one that can, such as gpt-oss:20b (CHAT_MODEL)."
            )
        body = self._body(request, able)
        yield from bounded(
            lambda handle: self._once(body, handle, request.deadline_seconds),
            deadline_seconds=request.deadline_seconds,
            cut=cut,
        )

    def _once(self, body: dict[str, Any], cut: Cut, seconds: float) -> Iterator[Delta]:
        pieces = Pieces(self.name)
        with self._service.post("/chat/completions", body, self.name, cut, seconds) as answer:
            for chunk in self._chunks(answer):
                yield from pieces.take(chunk)
        yield pieces.answer(self.provider)

    def _chunks(self, answer: Exchange) -> Iterable[dict[str, Any]]:
        """A server that does not stream answers with the whole at once."""
        if "json" in answer.headers.get("content-type", ""):
            return [parsed(answer.body(MOST_BYTES), self.name)]
        return chunks_of(answer.chunks(MOST_BYTES), self.name)

    def _body(self, request: ModelRequest, able: Capabilities) -> dict[str, Any]:
        messages = messages_of(request.system, request.messages, self.provider, parallel=able.parallel_calls)
        body: dict[str, Any] = {
            "model": self.name,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": request.max_output_tokens,
        }
        if request.tools:
            body["tools"] = [_declaration(tool) for tool in request.tools]
        if request.schema is not None:
            schema = {"name": "answer", "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body


def _declaration(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}
