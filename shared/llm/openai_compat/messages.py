"""Our conversation as chat messages. What the server said itself goes back as it came."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from shared.llm.port import Call, Message, Result, Text


def messages_of(system: str, messages: Sequence[Message], provider: str, *, parallel: bool) -> list[dict[str, Any]]:
    """The conversation on the wire. Without `parallel` each call stands in a message of its own, before its result:
    templates of models that make one call a turn refuse several in one message.
    """
    wire: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in messages:
        if message.role == "model":
            wire += _assistant(message, provider)
        elif message.role == "tool":
            wire += _results(message)
        elif text := _said(message):
            wire.append({"role": "user", "content": text})
    return wire if parallel else list(_one_by_one(wire))


def _said(message: Message) -> str:
    return "\n\n".join(part.text for part in message.parts if isinstance(part, Text) and part.text)


def _assistant(message: Message, provider: str) -> Iterator[dict[str, Any]]:
    if message.verbatim and message.provider == provider:
        yield json.loads(message.verbatim)
        return
    calls = [_call(part) for part in message.parts if isinstance(part, Call) and part.name]
    text = _said(message)
    if text or calls:
        yield {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})


def _call(call: Call) -> dict[str, Any]:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _results(message: Message) -> Iterator[dict[str, Any]]:
    for result in message.parts:
        if not isinstance(result, Result):
            continue
        content = {"error": dict(result.content)} if result.failed else dict(result.content)
        text = json.dumps(content, ensure_ascii=False)
        if result.name:
            yield {"role": "tool", "tool_call_id": result.call_id, "content": text}
        else:
            yield {"role": "user", "content": f"Your last call was not run: {text}"}


def _one_by_one(wire: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each call right before its result; what the model said stands with the first."""
    calls: list[dict[str, Any]] = []
    said = ""
    for entry in wire:
        if entry["role"] == "tool":
            call = next((call for call in calls if call["id"] == entry["tool_call_id"]), None)
            if call is not None:
                yield {"role": "assistant", "content": said, "tool_calls": [call]}
                said = ""
            yield entry
        elif calls := entry.get("tool_calls") or []:
            said = entry.get("content") or ""
        else:
            yield entry
