"""From the pieces of a streamed chat completion to one answer: text, reasoning, calls in pieces, usage at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.contracts.operations import Usage
from shared.errors import ModelOutputError, Transient
from shared.gateway import sse
from shared.llm.failures import Refusal, broke_off, error_of
from shared.llm.openai_compat.service import message_of
from shared.llm.port import Answer, Call, Delta, Message, Part, Stop, Text, TextDelta, Thought, ThoughtDelta, UsageDelta

_STOPS: Mapping[str, Stop] = {
    "stop": "end",
    "tool_calls": "end",
    "function_call": "end",
    "length": "max_tokens",
    "content_filter": "refused",
}
_REASONING = ("reasoning_content", "reasoning", "thinking")


def chunks_of(stream: Iterable[bytes], model: str) -> Iterator[dict[str, Any]]:
    """The JSON of each frame, up to [DONE] or the end. Raises Transient for a piece that is none."""
    for line in sse.lines(stream):
        name, _, value = line.partition(":")
        data = value.strip()
        if name != "data" or not data:
            continue
        if data == "[DONE]":
            return
        yield _chunk(data, model)


def _chunk(data: str, model: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Transient(f"A piece of the answer of {model} is no JSON.", reason="malformed") from error
    if not isinstance(value, dict):
        raise Transient(f"A piece of the answer of {model} is no JSON object.", reason="malformed")
    if value.get("error"):
        detail = value["error"]
        code = detail.get("code") if isinstance(detail, dict) else None
        raise error_of(Refusal(code if isinstance(code, int) and code >= 400 else 500, message_of(value), {}), model)
    return value


class Pieces:
    """Takes the chunks in order, gives what can be shown at once, and keeps the rest for the whole answer."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._places: dict[int, dict[str, Any]] = {}
        self._reason = ""
        self._usage: Mapping[str, Any] = {}

    def take(self, chunk: Mapping[str, Any]) -> Iterator[Delta]:
        """What of this chunk can be shown."""
        if chunk.get("usage"):
            self._usage = chunk["usage"]
            yield UsageDelta(_usage(self._usage))
        choice = next(iter(chunk.get("choices") or ()), None) or {}
        delta = choice.get("delta") or choice.get("message") or {}
        self._reason = choice.get("finish_reason") or self._reason
        thought = next((delta[name] for name in _REASONING if delta.get(name)), "")
        if isinstance(thought, str) and thought:
            self._thoughts.append(thought)
            yield ThoughtDelta(thought)
        text = _plain(delta.get("content")) or _plain(delta.get("refusal"))
        if text:
            self._text.append(text)
            yield TextDelta(text)
        for piece in delta.get("tool_calls") or ():
            if isinstance(piece, dict):
                self._add(piece)

    def answer(self, provider: str) -> Answer:
        """The whole answer. Raises Transient when it broke off, ModelOutputError when there is nothing in it."""
        if not self._reason:
            raise broke_off(self._model)
        stop = _STOPS.get(self._reason, "other")
        parts: list[Part] = []
        if thought := "".join(self._thoughts):
            parts.append(Thought(thought))
        if text := "".join(self._text):
            parts.append(Text(text))
        parts += [_call(call, stop) for call in self._named()]
        if not any(isinstance(part, Text | Call) for part in parts) and stop in ("end", "other"):
            raise ModelOutputError(f"{self._model} gave an empty answer: ask again, or ask otherwise.")
        return Answer(Message("model", tuple(parts), provider, self._verbatim(text)), _usage(self._usage), stop)

    def _add(self, piece: Mapping[str, Any]) -> None:
        """A piece belongs to the call at its index, unless it brings an id of its own; without an index to the last."""
        place = piece.get("index")
        known = self._places.get(place) if isinstance(place, int) else (self._calls[-1] if self._calls else None)
        fresh = piece.get("id") and known is not None and known.get("id") not in (None, "", piece["id"])
        if known is None or fresh:
            known = {"type": "function", "function": {"name": "", "arguments": ""}}
            self._calls.append(known)
        if isinstance(place, int):
            self._places[place] = known
        function = piece.get("function") or {}
        arguments = function.get("arguments") or ""
        known["function"]["name"] += function.get("name") or ""
        known["function"]["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments)
        # Whatever else a server hangs on a call, such as a thought signature, goes back with it.
        known |= {key: value for key, value in piece.items() if key not in ("index", "function", "type") and value}

    def _named(self) -> list[dict[str, Any]]:
        """The calls, each with an id that is unique within the answer."""
        seen: set[str] = set()
        for n, call in enumerate(self._calls, start=1):
            if not call.get("id") or call["id"] in seen:
                call["id"] = f"call-{n}"
            seen.add(call["id"])
        return self._calls

    def _verbatim(self, text: str) -> str:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if self._calls:
            # Arguments that are no JSON would be refused by the server that wrote them.
            message["tool_calls"] = [{**call, "function": _readable(call["function"])} for call in self._calls]
        return json.dumps(message, ensure_ascii=False)


def _call(call: Mapping[str, Any], stop: Stop) -> Call:
    function = call["function"]
    arguments = _arguments(function["arguments"])
    if arguments is None:
        why = "were cut off: the answer was too long" if stop == "max_tokens" else "are no JSON object"
        return Call(call["id"], function["name"], {}, f"The arguments {why}.")
    return Call(call["id"], function["name"], arguments)


def _arguments(text: str) -> dict[str, Any] | None:
    """The object in `text`, None when there is none; no text at all means no arguments."""
    try:
        value = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _readable(function: Mapping[str, Any]) -> dict[str, Any]:
    fine = _arguments(function["arguments"]) is not None and function["arguments"].strip()
    return {**function, "arguments": function["arguments"] if fine else "{}"}


def _plain(content: Any) -> str:
    """Text, which some servers give as a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(given: Mapping[str, Any]) -> Usage:
    def count(holder: Any, name: str) -> int:
        value = holder.get(name) if isinstance(holder, dict) else None
        return value if isinstance(value, int) else 0

    thoughts = count(given.get("completion_tokens_details"), "reasoning_tokens")
    return Usage(
        input_tokens=count(given, "prompt_tokens"),
        output_tokens=max(0, count(given, "completion_tokens") - thoughts),
        thought_tokens=thoughts,
    )
