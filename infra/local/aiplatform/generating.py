"""generateContent and its stream: what a script says, or else the rules, piece by piece at the platform's pace."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, jsonify, request

from infra.local.aiplatform.connection import await_leaving, cut, shut
from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.gates import Gates
from infra.local.aiplatform.grounding import Grounding, query_of, wants_search
from infra.local.aiplatform.metering import count_input, count_output
from infra.local.aiplatform.model_queue import ModelQueue
from infra.local.aiplatform.model_stream import Telling, pieces, sse
from infra.local.aiplatform.prompt_tokens import made_of, prompt_tokens
from infra.local.aiplatform.rules import respond
from infra.local.aiplatform.runs import Runs
from infra.local.aiplatform.usage import tokens
from infra.local.clock import ClockClosed
from infra.local.meter import Meter

_LEAST_PACE = 0.005
"""Of an endless text, which would else fill the network."""
_LOOK_SECONDS = 0.5
_GATE_SECONDS = 0.05


@dataclass
class Pace:
    """Seconds between two frames of a stream, and before a first one; may be changed while it runs."""

    seconds: float = 0.0
    first_seconds: float = 0.0


@dataclass(frozen=True)
class Scripting:
    """What tests say of how models answer."""

    scripts: ModelQueue
    gates: Gates
    pace: Pace


@dataclass(frozen=True)
class Said:
    """What is going to be told: items as in a ModelScript."""

    telling: Telling
    items: Sequence[Mapping[str, Any]]
    pace_seconds: float | None
    spent: int


class Generating:
    """Answers of all models. Streams wait by the clock of `runs`."""

    def __init__(self, runs: Runs, scripting: Scripting, meter: Meter, grounding: Grounding) -> None:
        self._runs, self._meter, self._grounding = runs, meter, grounding
        self._scripts, self._gates, self._pace = scripting.scripts, scripting.gates, scripting.pace

    def whole(self, model: str, body: Mapping[str, Any]) -> Response:
        """The answer at once. What a script says beside parts is left out, but for hanging and cutting."""
        said = self._said(model, body)
        if any("cut" in item for item in said.items):
            return cut(request.environ)
        if any("hang" in item or "endless" in item for item in said.items):
            return Response(self._mute(request.environ), mimetype="application/json")
        parts = [said.telling.part(item["part"]) for item in said.items if "part" in item]
        if self._between(said):
            self._wait(self._between(said) * sum(1 for part in parts for _ in pieces(part)))
        return jsonify(said.telling.closing(self._usage(said), parts))

    def stream(self, model: str, body: Mapping[str, Any]) -> Response:
        """The answer as server-sent events."""
        said = self._said(model, body)
        return Response(self._told(said, request.environ), mimetype="text/event-stream")

    def _said(self, model: str, body: Mapping[str, Any]) -> Said:
        identity = hashlib.sha256(json.dumps([model, body], sort_keys=True).encode()).hexdigest()[:22]
        telling = Telling(model, identity, len(body["contents"]))
        spent = prompt_tokens(body)
        count_input(self._meter, model, spent)
        self._wait(self._pace.first_seconds)
        turn = self._scripts.take(body)
        if turn is None and wants_search(body):
            return self._searched(telling, query_of(body), spent)
        if turn is None:
            parts = respond(body, self._runs.clock.now().date())
            telling.finish = _shortened(parts, body.get("generationConfig") or {})
            return Said(telling, [{"part": part} for part in parts], None, spent)
        if turn.failure:
            if turn.failure.status == 0:
                return Said(telling, [{"cut": True}], None, spent)
            raise ApiError(turn.failure.status, turn.failure.message, retry_after=turn.failure.retry_after)
        telling.finish, telling.finish_message = turn.script.finish, turn.script.finish_message
        return Said(telling, turn.script.items, turn.script.pace_seconds, spent)

    def _searched(self, telling: Telling, query: str, spent: int) -> Said:
        self._meter.add("aiplatform", "grounding_searches", 1)
        grounded = self._grounding.answer(query)
        telling.grounding = grounded.metadata
        return Said(telling, [{"part": {"text": grounded.text}}], None, spent)

    def _told(self, said: Said, environ: Mapping[str, Any]) -> Iterator[str]:
        last: Mapping[str, Any] | None = None
        try:
            for item in said.items:
                if "part" in item:
                    for piece in pieces(said.telling.part(item["part"])):
                        if last is not None:
                            yield sse(said.telling.frame([last]))
                            self._wait(self._between(said))
                        last = piece
                    continue
                if last is not None:
                    yield sse(said.telling.frame([last]))
                    last = None
                yield from self._happening(said, item, environ)
                if "hang" in item or "cut" in item:
                    return
            yield sse(said.telling.closing(self._usage(said), [last] if last is not None else []))
        except ClockClosed:  # the local cloud closes under the stream
            return

    def _happening(self, said: Said, item: Mapping[str, Any], environ: Mapping[str, Any]) -> Iterator[str]:
        """What is no part: a pause, junk, a text without end, silence, a cut."""
        if "pause" in item:
            self._wait(item["pause"])
        elif "raw" in item:
            yield item["raw"]
        elif "hold" in item:
            yield from self._held(item["hold"], environ)
        elif "endless" in item:
            while not self._runs.pulse.closed:
                yield sse(said.telling.frame([{"text": item["endless"]}]))
                self._wait(max(_LEAST_PACE, self._between(said)))
        elif "hang" in item:
            yield from self._mute(environ)
        else:
            shut(environ)

    def _mute(self, environ: Mapping[str, Any]) -> Iterator[str]:
        """Nothing, not even the comments that keep other streams alive: the SDK takes them for a broken answer."""
        yield ""  # so that the headers go out
        while not self._runs.pulse.closed and not await_leaving(environ, _LOOK_SECONDS):
            if "werkzeug.socket" not in environ:
                self._runs.pulse.wait(self._runs.pulse.beats)

    def _held(self, gate: str, environ: Mapping[str, Any]) -> Iterator[str]:
        """Nothing until the gate is open, or the client has gone."""
        yield ""  # so that the headers go out
        while not self._runs.pulse.closed:
            beats = self._runs.pulse.beats
            if self._gates.opened(gate) or await_leaving(environ, _GATE_SECONDS):
                return
            if "werkzeug.socket" not in environ:
                self._runs.pulse.wait(beats)

    def _between(self, said: Said) -> float:
        return self._pace.seconds if said.pace_seconds is None else said.pace_seconds

    def _wait(self, seconds: float) -> None:
        if seconds > 0:
            self._runs.clock.sleep(seconds)

    def _usage(self, said: Said) -> dict[str, int]:
        """The usage of what was told; it is metered here, once, at the end."""
        thoughts = tokens("".join(part["text"] for part in said.telling.parts if part.get("thought")))
        made = tokens(made_of([part for part in said.telling.parts if not part.get("thought")]))
        count_output(self._meter, said.telling.model, made + thoughts)
        usage = {"promptTokenCount": said.spent, "candidatesTokenCount": made}
        if thoughts:
            usage["thoughtsTokenCount"] = thoughts
        return {**usage, "totalTokenCount": said.spent + made + thoughts}


def _shortened(parts: list[dict[str, Any]], config: Mapping[str, Any]) -> str:
    """Cut the text to maxOutputTokens in place; the finish reason."""
    most = int(config.get("maxOutputTokens") or 0) * 4
    if not most:
        return "STOP"
    for part in parts:
        if "text" in part and not part.get("thought") and len(part["text"]) > most:
            part["text"] = part["text"][:most]
            return "MAX_TOKENS"
    return "STOP"
