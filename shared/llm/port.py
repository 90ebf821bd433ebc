"""The port to language models: messages, tools, a schema and a budget in; text, thoughts, calls and usage out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from shared.contracts.operations import Usage
from shared.gateway.transport import Cut

Stop = Literal["end", "max_tokens", "refused", "other"]
"""Why an answer ended: it was done (or wants its calls run), it was cut, the service declined it, something else."""


@dataclass(frozen=True)
class Text:
    """Said by the person or by the model."""

    text: str


@dataclass(frozen=True)
class Thought:
    """A summary of what the model thought: shown, and never sent back as text."""

    text: str


@dataclass(frozen=True)
class Call:
    """The model wants a tool run. `problem` says why the call could not be read; then `arguments` is empty.

    `id` is unique within its answer. Where not even a name could be read `name` is "": such a call is answered like
    any other, and the adapter tells the model in the way its service takes it.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True)
class Result:
    """What a tool answered to the call of that id."""

    call_id: str
    name: str
    content: Mapping[str, Any]
    failed: bool = False


Part = Text | Thought | Call | Result


@dataclass(frozen=True)
class Message:
    """One entry of a conversation. A model's message may carry what its provider sent, to be replayed as it was.

    `verbatim` is JSON of the provider named, signatures included; another provider's adapter goes by `parts`.
    Every call of a model's message is answered by one result in the message of role `tool` that follows it.
    """

    role: Literal["user", "model", "tool"]
    parts: tuple[Part, ...]
    provider: str = ""
    verbatim: str = ""


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the model sees it; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ModelRequest:
    """What a model is asked. With `schema` the answer is JSON of that schema; `deadline_seconds` bounds it in all."""

    messages: Sequence[Message]
    system: str = ""
    tools: Sequence[ToolSpec] = ()
    schema: Mapping[str, Any] | None = None
    max_output_tokens: int = 8192
    deadline_seconds: float = 120.0
    thinking: bool = True


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ThoughtDelta:
    text: str


@dataclass(frozen=True)
class UsageDelta:
    """What the answer has used so far, where the service tells before its end; the whole answer has it in all."""

    usage: Usage


@dataclass(frozen=True)
class Answer:
    """The whole answer, always the last thing a stream gives. `message.parts` holds text, thoughts and calls."""

    message: Message
    usage: Usage
    stop: Stop = "end"


Delta = TextDelta | ThoughtDelta | UsageDelta | Answer


@dataclass(frozen=True)
class Capabilities:
    """What a model can do, as its server tells; where nobody says, these defaults. `context_tokens` 0 is unknown."""

    tools: bool = True
    parallel_calls: bool = True
    thinking: bool = False
    context_tokens: int = 0


class Model(Protocol):
    """One model of one service."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """The answer as it is written, and then whole. `cut` ends it from another thread, a blocked read too.

        One request: nothing is tried again here, as whoever asked keeps a journal of what he asked.
        Raises shared.errors.Transient where trying again may help, ModelOutputError for an answer that is none,
        InputError for what the model cannot do (tools, length), SettingsError where the service knows neither the
        key nor the model, and TransportError with the reason of the cut, or "deadline".
        """
        ...


class Embedder(Protocol):
    """One embedding model of one service."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Cut | None = None) -> list[list[float]]:
        """A vector of unit length for each text; `query` for what is searched with. Raises as `Model.stream` does."""
        ...


@dataclass(frozen=True)
class Models:
    """What each role is played by; None where no model is configured for it."""

    chat: Model | None = None
    enrich: Model | None = None
    plan: Model | None = None
    work: Model | None = None
    embed: Embedder | None = field(default=None)
