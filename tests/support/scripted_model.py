"""A model that says what a test wrote down, line by line, and fails the test when a line was not asked for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from shared.contracts.operations import Usage
from shared.gateway.transport import Cut, TransportError
from shared.llm.port import (
    Answer,
    Call,
    Capabilities,
    Delta,
    Message,
    ModelRequest,
    Part,
    Stop,
    Text,
    TextDelta,
    Thought,
    ThoughtDelta,
    UsageDelta,
)

PROVIDER = "scripted"
ABLE = Capabilities(thinking=True, context_tokens=100_000)
_SECONDS = 20.0
"""No pause is longer: a test that forgot to end one fails instead of standing still."""


@dataclass(frozen=True)
class Pause:
    """The model says nothing more until `open` is called or the request is cut; `reached` tells that it came here."""

    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    def open(self) -> None:
        self.opened.set()


@dataclass(frozen=True)
class Endless:
    """The same text over and over, until the request is cut or nobody reads on."""

    text: str = "and on "


@dataclass(frozen=True)
class End:
    """How the answer ends; without one it is "end" with a usage of ten tokens in and five out."""

    stop: Stop = "end"
    usage: Usage = Usage(input_tokens=10, output_tokens=5)


Item = Text | Thought | Call | UsageDelta | Pause | Endless | End | Exception
Line = Sequence[Item]
"""One answer. An exception is raised where it stands, after what comes before it was said."""


class ScriptedModel:
    """Answers the n-th request with the n-th line; a line may be a function of the request.

    `requests` keeps what was asked. Use it as a context manager, or call `check` at the end of the test.
    """

    def __init__(
        self,
        *lines: Line | Callable[[ModelRequest], Line],
        name: str = "scripted-1",
        capabilities: Capabilities = ABLE,
    ) -> None:
        self.name, self.capabilities = name, capabilities
        self.requests: list[ModelRequest] = []
        self._lock, self._lines = threading.Lock(), list(lines)

    def __enter__(self) -> ScriptedModel:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.check()

    def check(self) -> None:
        """Raises AssertionError when lines were not used."""
        assert not self._lines, f"{len(self._lines)} lines of the script were not used: {self._lines}"

    def add(self, *lines: Line | Callable[[ModelRequest], Line]) -> None:
        """More lines at the end."""
        with self._lock:
            self._lines.extend(lines)

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        with self._lock:
            self.requests.append(request)
            n = len(self.requests)
            assert self._lines, f"request {n} has no line in the script; its last message is {request.messages[-1:]}"
            line = self._lines.pop(0)
        yield from _said(n, line(request) if callable(line) else line, cut)


class RuledModel(ScriptedModel):
    """Answers each request by one rule: for models that are asked by several at once, in any order."""

    def __init__(self, rule: Callable[[ModelRequest], Line], name: str = "ruled-1") -> None:
        super().__init__(name=name)
        self.rule = rule

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        with self._lock:
            self.requests.append(request)
            n = len(self.requests)
        yield from _said(n, self.rule(request), cut)


def _said(n: int, line: Line, cut: Cut) -> Iterator[Delta]:
    parts: list[Part] = []
    end = End()
    for item in line:
        _unless_cut(cut)
        if isinstance(item, Exception):
            raise item
        if isinstance(item, End):
            end = item
        elif isinstance(item, UsageDelta):
            yield item
        elif isinstance(item, Pause):
            _pause(item, cut)
        elif isinstance(item, Endless):
            while True:
                _unless_cut(cut)
                yield TextDelta(item.text)
        else:
            yield from _delta(item)
            parts.append(item)
    _unless_cut(cut)
    # The stand-in for thought signatures: a replay that is not verbatim shows.
    verbatim = json.dumps({"answer": n, "signature": f"signature-{n}"})
    yield Answer(Message("model", tuple(_merged(parts)), PROVIDER, verbatim), end.usage, end.stop)


def _delta(item: Part) -> Iterator[Delta]:
    if isinstance(item, Text):
        yield TextDelta(item.text)
    elif isinstance(item, Thought):
        yield ThoughtDelta(item.text)


def _merged(parts: Sequence[Part]) -> Iterator[Part]:
    """Neighbouring texts, and neighbouring thoughts, as one: pieces are how an answer comes, not what it is."""
    held: Text | Thought | None = None
    for part in parts:
        if held is not None and isinstance(part, Text | Thought) and type(part) is type(held):
            held = type(held)(held.text + part.text)
            continue
        if held is not None:
            yield held
        held = part if isinstance(part, Text | Thought) else None
        if held is None:
            yield part
    if held is not None:
        yield held


def _pause(pause: Pause, cut: Cut) -> None:
    pause.reached.set()
    for _ in range(int(_SECONDS * 100)):
        if pause.opened.wait(0.01) or cut.reason:
            return
    raise AssertionError(f"a pause of the script was neither opened nor cut within {_SECONDS} s")


def _unless_cut(cut: Cut) -> None:
    if cut.reason:
        raise TransportError(cut.reason, f"The exchange was ended: {cut.reason}.", sent=True)
