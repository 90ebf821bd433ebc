"""Our conversation as Gemini's contents. What Gemini said itself goes back as it came, signatures included."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shared.llm.port import Call, Message, Result, Text

_UNSIGNED = "skip_thought_signature_validator"
"""What the service takes for the signature of a call that it did not make itself."""


def contents_of(messages: Sequence[Message], provider: str) -> list[dict[str, Any]]:
    """The conversation on the wire (camelCase); entries without anything to say are left out."""
    contents: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "model":
            content = _model_content(message, provider)
        elif message.role == "tool":
            content = {"role": "user", "parts": list(_results(message, contents))}
        else:
            said = [part.text for part in message.parts if isinstance(part, Text) and part.text]
            content = {"role": "user", "parts": [{"text": text} for text in said]}
        if content.get("parts"):
            contents.append(content)
    return contents


def _model_content(message: Message, provider: str) -> dict[str, Any]:
    if message.verbatim and message.provider == provider:
        return dict(json.loads(message.verbatim))
    return {"role": "model", "parts": list(_own_parts(message))}


def _own_parts(message: Message) -> Iterator[dict[str, Any]]:
    """Another provider's answer: its text and its calls; thoughts are no part of a conversation."""
    first = True
    for part in message.parts:
        if isinstance(part, Text) and part.text:
            yield {"text": part.text}
        elif isinstance(part, Call) and part.name:
            call = {"functionCall": {"id": part.id, "name": part.name, "args": dict(part.arguments)}}
            yield {**call, "thoughtSignature": _UNSIGNED} if first else call
            first = False


def _results(message: Message, before: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Results of calls; what answers a call that Gemini itself could not write is said in words."""
    calls = [part["functionCall"] for part in (before[-1]["parts"] if before else ()) if "functionCall" in part]
    named = {call["id"] for call in calls if call.get("id")}
    for result in message.parts:
        if not isinstance(result, Result):
            continue
        if not result.name:
            yield {"text": f"Your last call was not run: {json.dumps(dict(result.content), ensure_ascii=False)}"}
            continue
        content = dict(result.content)
        answer: dict[str, Any] = {"name": result.name, "response": {"error": content} if result.failed else content}
        if result.call_id in named:  # an id that we gave ourselves is nothing to the service
            answer["id"] = result.call_id
        yield {"functionResponse": answer}
