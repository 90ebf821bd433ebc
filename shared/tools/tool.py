"""What a tool is: a name, typed arguments, bounds, and a function that sees one workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from shared.clock import Clock
from shared.contracts.base import Model
from shared.contracts.operations import Usage
from shared.contracts.sources import Source
from shared.gateway.transport import Cut, TransportError
from shared.store.effects import Effect

if TYPE_CHECKING:
    from shared.store.workspace import WorkspaceStore
    from shared.store.writes import Write
    from shared.tools.services import Services

Arguments = TypeVar("Arguments", bound=Model)


def _nothing(_answer: Mapping[str, Any]) -> tuple[Write, ...]:
    return ()


def _uncounted(_usage: Usage) -> None:
    """Nobody keeps an account of this call."""


def _any_address(_url: str) -> bool:
    return True


def _no_sources(_answer: Mapping[str, Any]) -> tuple[Source, ...]:
    return ()


@dataclass(frozen=True)
class Job:
    """One call: the workspace it sees, the key of its effect, who acts, and the handle that ends it.

    The key derives from the call's cause: its place in the turn's stored answers, the approval, or for a routine what
    is proposed in which period. The same call again has the same effect once.
    """

    store: WorkspaceStore
    services: Services
    clock: Clock
    actor: str
    """On whose word: chat_sessions/{id}, agent_runs/{id}, approvals/{id}, routine/{kind}-{period}.

    It stands in what the tool writes."""
    effect_key: str
    cut: Cut
    also: Callable[[Mapping[str, Any]], tuple[Write, ...]] = _nothing
    """What is to be written in the same commit as the effect, given the tool's answer."""
    revision: str | None = None
    """The state of the target that the change was made for; another one refuses it."""
    web_read: bool = False
    """Whether web content was read before in this work: whatever would change something is proposed then, since who
    wrote that content may be who wants the change."""
    spend: Callable[[Usage], None] = _uncounted
    """Told what the call has used of models and searches, besides what the one that calls uses."""
    is_given: Callable[[str], bool] = _any_address
    """Whether an address may be read: once anything was read in this work, only if it was named, exactly so."""

    @property
    def effect(self) -> Effect:
        """What a tool that mutates commits with its change. A call that was ended commits none: TransportError."""
        return Effect(self.store.effects, self.effect_key, self._unless_ended, self.revision)

    def _unless_ended(self, answer: Mapping[str, Any]) -> tuple[Write, ...]:
        if self.cut.reason:
            raise TransportError(self.cut.reason, f"The call was ended: {self.cut.reason}.", sent=False)
        return self.also(answer)


@dataclass(frozen=True)
class Preview:
    """What a call would do, for the person who decides on it."""

    title: str
    """In one sentence."""
    target: str | None = None
    """The document it would change; none where it creates one."""
    revision: str | None = None
    """The target's state (shared.store.effects.revision_of)."""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool(Generic[Arguments]):
    """One tool. The docstring of `run` is what the model reads; `arguments` is the schema it must keep to.

    `run` answers a JSON object or raises one of shared.errors, whose message goes to the model. A tool that `mutates`
    is proposed instead of run where only proposals are allowed, and `preview` says what it would do. `repeatable` says
    whether a call that failed in passing may be made again by us.
    """

    name: str
    arguments: type[Arguments]
    run: Callable[[Job, Arguments], Mapping[str, Any]]
    preview: Callable[[Job, Arguments], Preview] | None = None
    timeout_seconds: float = 20.0
    output_bytes: int = 16_000
    repeatable: bool = True
    sources: Callable[[Mapping[str, Any]], tuple[Source, ...]] = _no_sources
    """What of its answer can be cited."""

    @property
    def mutates(self) -> bool:
        """Whether it changes what a person sees as theirs. Such a tool has a preview."""
        return self.preview is not None

    @property
    def description(self) -> str:
        """What the model reads."""
        return " ".join((self.run.__doc__ or "").split())
