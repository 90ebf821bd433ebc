"""From the frames of Gemini's stream to one answer: what is shown of it, and what is replayed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.errors import ModelOutputError
from shared.gateway.gemini_usage import usage_of
from shared.llm.failures import broke_off
from shared.llm.port import Answer, Call, Message, Part, Stop, Text, Thought

_STOPS: Mapping[str, Stop] = {
    "STOP": "end",
    "MAX_TOKENS": "max_tokens",
    "CONTINUATION": "max_tokens",
    "SAFETY": "refused",
    "RECITATION": "refused",
    "BLOCKLIST": "refused",
    "PROHIBITED_CONTENT": "refused",
    "SPII": "refused",
    "MODEL_ARMOR": "refused",
    "LANGUAGE": "refused",
}
_MALFORMED = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"})


def answer_of(frames: Iterable[Mapping[str, Any]], model: str, provider: str) -> Answer:
    """The whole answer. Raises Transient when the stream broke off, ModelOutputError when it holds nothing."""
    pieces: list[dict[str, Any]] = []
    reason = message = blocked = ""
    usage: Mapping[str, Any] = {}
    for frame in frames:
        candidate: Mapping[str, Any] = next(iter(frame.get("candidates") or ()), {})
        pieces += (candidate.get("content") or {}).get("parts") or ()
        reason = candidate.get("finishReason") or reason
        message = candidate.get("finishMessage") or message
        blocked = (frame.get("promptFeedback") or {}).get("blockReason") or blocked
        usage = frame.get("usageMetadata") or usage
    if not reason and not blocked:
        raise broke_off(model)
    merged = list(_merged(pieces))
    parts = [*_parts(merged), *_malformed(reason, message)]
    stop = "refused" if blocked else "end" if reason in _MALFORMED else _STOPS.get(reason, "other")
    if not parts and stop in ("end", "other"):
        raise ModelOutputError(f"{model} gave an empty answer ({reason}): ask again, or ask otherwise.")
    verbatim = json.dumps({"role": "model", "parts": merged}, ensure_ascii=False)
    return Answer(Message("model", tuple(parts), provider, verbatim), usage_of(usage), stop)


def _merged(pieces: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Neighbouring pieces of text as one part; whatever carries a signature or anything else stays as it is."""
    held: dict[str, Any] | None = None
    for piece in pieces:
        plain = set(piece) <= {"text", "thought"} and isinstance(piece.get("text"), str)
        if plain and held is not None and bool(held.get("thought")) == bool(piece.get("thought")):
            held["text"] += piece["text"]
            continue
        if held is not None:
            yield held
        held = dict(piece) if plain else None
        if held is None:
            yield piece
    if held is not None:
        yield held


def _parts(merged: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    calls = 0
    for part in merged:
        if part.get("text"):
            yield Thought(part["text"]) if part.get("thought") else Text(part["text"])
        elif isinstance(call := part.get("functionCall"), dict):
            calls += 1
            yield Call(str(call.get("id") or f"call-{calls}"), str(call.get("name") or ""), call.get("args") or {})


def _malformed(reason: str, message: str) -> Iterator[Call]:
    """A call that the model could not write so that the service could read it: there is no part for it."""
    if reason in _MALFORMED:
        yield Call("malformed", "", {}, message or f"The call could not be read ({reason}).")
