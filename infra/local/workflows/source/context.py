"""Where in a source the compiler stands: what `next` may reach from here, and what is collected on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from infra.local.workflows.errors import WorkflowError
from infra.local.workflows.source.program import Action, Jump, Step
from infra.local.workflows.source.templates import Template, function_calls
from infra.local.workflows.source.yaml_items import Item


@dataclass(frozen=True)
class CallSite:
    """A call to check once all routines are known; `names` is None for arguments by position."""

    function: str
    routine: str
    line: int
    names: frozenset[str] | None
    count: int
    in_expression: bool


@dataclass
class Build:
    """What the compilation of one file collects."""

    file: str
    routines: frozenset[str]
    kinds: Mapping[str, Kind]
    blocks: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    calls: list[CallSite] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)

    def fault(self, line: int, message: str) -> WorkflowError:
        return WorkflowError(self.file, line, message)

    def note_calls(self, shape: Template, routine: str) -> None:
        """Remember the calls in a template's expressions."""
        for call, line in function_calls(shape):
            self.calls.append(CallSite(call.function, routine, line, None, len(call.arguments), True))


@dataclass(frozen=True)
class Level:
    """One block of steps on the way in; `kind` says what the block is the body of."""

    path: str
    names: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Place:
    """The blocks around a step, outermost first."""

    routine: str
    levels: tuple[Level, ...] = ()

    def inside(self, level: Level) -> Place:
        return Place(self.routine, (*self.levels, level))

    @property
    def parallel_depth(self) -> int:
        return sum(level.kind in ("branch", "iteration") for level in self.levels)

    def jump(self, target: str, line: int, build: Build) -> Jump:
        """What `next: target` means here. Raises WorkflowError."""
        if target == "end":
            if self.parallel_depth:
                raise build.fault(line, "'next: end' cannot be used in a parallel step")
            return Jump("end")
        if target in ("break", "continue"):
            return self._loop_jump(target, line, build)
        for level in reversed(self.levels):
            if target in level.names:
                return Jump("step", level.path, level.names.index(target))
            if level.kind in ("loop", "branch", "iteration"):
                break
        raise build.fault(line, f"'next: {target}': there is no such step in this scope")

    def _loop_jump(self, target: str, line: int, build: Build) -> Jump:
        for level in reversed(self.levels):
            if level.kind == "loop" or (level.kind == "iteration" and target == "continue"):
                return Jump(target)
            if level.kind in ("branch", "iteration"):
                raise build.fault(line, f"'next: {target}' cannot leave a parallel branch or iteration")
        raise build.fault(line, f"'next: {target}' is only possible in a for loop")


# How a kind of step is compiled, given the step's item and path, and the keys it may have beside its own.
Kind: TypeAlias = tuple[Callable[[Item, str, Place, Build], Action], tuple[str, ...]]
