"""A model's answer on its way: frames of generateContent, at a pace by the clock, broken where a script says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.local.aiplatform.signatures import sign_call

_WORDS = re.compile(r"\S+\s*|\s+")
_PIECE = 18
"""Characters from which on a piece of text goes out, at the end of a word."""


@dataclass
class Telling:
    """One answer: what identifies it, and how it ends. `parts` are filled as they are told."""

    model: str
    response_id: str
    turn: int
    finish: str = "STOP"
    finish_message: str = ""
    grounding: Mapping[str, Any] | None = None
    """The groundingMetadata of an answer from a search."""
    parts: list[dict[str, Any]] = field(default_factory=list)

    def part(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """The part as it is sent: a call gets an id, and the first one of the answer a signature."""
        sent = dict(part)
        if "functionCall" in sent:
            calls = sum("functionCall" in earlier for earlier in self.parts)
            sent["functionCall"] = {"id": f"fc-{self.turn}-{calls}", **sent["functionCall"]}
            if not calls:
                sent.setdefault("thoughtSignature", sign_call(sent["functionCall"]))
        self.parts.append(sent)
        return sent

    def frame(self, parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        candidate = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
        return {"candidates": [candidate], "modelVersion": self.model, "responseId": self.response_id}

    def closing(self, usage: Mapping[str, Any], parts: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """The frame that ends the answer; without a finish reason it only tells the usage."""
        frame = self.frame(parts)
        if self.finish:
            frame["candidates"][0]["finishReason"] = self.finish
        if self.finish_message:
            frame["candidates"][0]["finishMessage"] = self.finish_message
        if self.grounding is not None:
            frame["candidates"][0]["groundingMetadata"] = dict(self.grounding)
        return {**frame, "usageMetadata": usage}


def pieces(part: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Text in small pieces that end with a word; whatever else a part carries is whole."""
    if not part.get("text") or set(part) - {"text", "thought"}:
        yield dict(part)
        return
    held = ""
    for word in _WORDS.findall(part["text"]):
        held += word
        if len(held) >= _PIECE:
            yield {**part, "text": held}
            held = ""
    if held:
        yield {**part, "text": held}


def sse(frame: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(frame, ensure_ascii=False)}\n\n"
