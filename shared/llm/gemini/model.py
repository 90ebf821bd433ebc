"""A Gemini model behind the port."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.genai import types

from shared.clock import Clock
from shared.contracts.operations import Usage
from shared.errors import InputError
from shared.gateway.transport import Cut, cut_error
from shared.llm.bounded import bounded
from shared.llm.gemini.answers import answer_of
from shared.llm.gemini.messages import contents_of
from shared.llm.gemini.service import Service
from shared.llm.known import Known
from shared.llm.port import Capabilities, Delta, ModelRequest, TextDelta, ThoughtDelta, ToolSpec, UsageDelta

_ABOUT_SECONDS = 5.0
_PLACEHOLDER = types.Content(role="user", parts=[types.Part(text="-")])
"""For the SDK's own checks; the contents that go out are ours, which it would decode and encode anew."""


class GeminiModel:
    """One model of one service. It is thread-safe; each stream is read by one thread."""

    def __init__(self, service: Service, name: str, clock: Clock | None = None) -> None:
        self.name = name
        self.provider = f"{service.access.route}/{name}"
        self._service = service
        self._known = Known(self._asked, Capabilities(thinking=True), clock)

    @property
    def capabilities(self) -> Capabilities:
        """As the service tells; asked at the first need. While it does not answer, what all of its models can do."""
        return self._known.get(Cut())

    def _asked(self, cut: Cut) -> Capabilities:
        (told,) = bounded(self._ask, deadline_seconds=_ABOUT_SECONDS, cut=cut)
        return told

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """See the port."""
        contents = contents_of(request.messages, self.provider)
        if not contents:
            raise InputError("There is nothing to ask the model: the conversation is empty.")
        config = self._config(request, contents, self._known.get(cut))
        yield from bounded(
            lambda handle: self._once(config, handle),
            deadline_seconds=request.deadline_seconds,
            cut=cut,
        )

    def _once(self, config: types.GenerateContentConfig, cut: Cut) -> Iterator[Delta]:
        with self._service.call(cut, self.name) as call:
            chunks = self._service.models.generate_content_stream(
                model=self.name, contents=[_PLACEHOLDER], config=config
            )
            chunk = call.send(lambda: next(chunks, None))
            while chunk is not None:
                yield from _deltas(chunk)
                chunk = next(chunks, None)
            if cut.reason:  # a shut socket can look like the regular end of a body without a length
                raise cut_error(cut)
            yield answer_of(call.sent.frames(), self.name, self.provider)

    def _config(
        self, request: ModelRequest, contents: list[dict[str, Any]], able: Capabilities
    ) -> types.GenerateContentConfig:
        about: dict[str, Any] = {}
        if request.tools:
            about["tools"] = [types.Tool(function_declarations=[_declaration(tool) for tool in request.tools])]
        if request.schema is not None:
            about |= {"response_mime_type": "application/json", "response_json_schema": dict(request.schema)}
        if able.thinking:
            about["thinking_config"] = types.ThinkingConfig(include_thoughts=request.thinking)
        milliseconds = max(1, int(request.deadline_seconds * 1000))
        return types.GenerateContentConfig(
            system_instruction=request.system or None,
            max_output_tokens=request.max_output_tokens,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
            http_options=types.HttpOptions(timeout=milliseconds, extra_body={"contents": contents}),
            **about,
        )

    def _ask(self, cut: Cut) -> Iterator[Capabilities]:
        with self._service.call(cut, self.name) as call:
            found = call.send(lambda: self._service.models.get(model=self.name))
            thinking = True if found.thinking is None else bool(found.thinking)
            yield Capabilities(thinking=thinking, context_tokens=found.input_token_limit or 0)


def _declaration(tool: ToolSpec) -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters)
    )


def _deltas(chunk: types.GenerateContentResponse) -> Iterator[Delta]:
    candidate = next(iter(chunk.candidates or ()), None)
    for part in (candidate.content.parts if candidate and candidate.content else None) or ():
        if part.text:
            yield ThoughtDelta(part.text) if part.thought else TextDelta(part.text)
    if (told := chunk.usage_metadata) is not None:
        yield UsageDelta(
            Usage(
                input_tokens=told.prompt_token_count or 0,
                output_tokens=told.candidates_token_count or 0,
                thought_tokens=told.thoughts_token_count or 0,
                tool_use_tokens=told.tool_use_prompt_token_count or 0,
            )
        )
