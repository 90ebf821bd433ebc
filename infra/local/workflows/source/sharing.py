"""Variables that a parallel step may not write: those from before it that are not in its `shared`.

Only what stands before the step in the source is seen here; the machine refuses the rest when it happens.
"""

from __future__ import annotations

from dataclasses import dataclass

from infra.local.workflows.source.context import Build
from infra.local.workflows.source.names import root
from infra.local.workflows.source.program import (
    Assign,
    Call,
    For,
    Nested,
    Parallel,
    Routine,
    Step,
    Switch,
    Try,
)


def check_sharing(build: Build, routine: Routine) -> None:
    """Raises WorkflowError for the first write to a variable that is not shared."""
    known = {parameter.name for parameter in routine.parameters}
    _Walk(build).block(routine.block, known, frozenset())


@dataclass(frozen=True)
class _Walk:
    build: Build

    def block(self, path: str, known: set[str], barred: frozenset[str]) -> None:
        """Walk a block; adds what it assigns to `known`, which is what exists in this scope."""
        for step in self.build.blocks[path]:
            for name in _written(step):
                if name in barred:
                    raise self.build.fault(
                        step.line, f"'{name}' is from before the parallel step: list it in 'shared' to write it"
                    )
                known.add(name)
            self._inside(step, known, barred)

    def _inside(self, step: Step, known: set[str], barred: frozenset[str]) -> None:
        match step.action:
            case Nested(block=block):
                self.block(block, known, barred)
            case Switch(cases=cases):
                for case in cases:
                    self.block(case.block, known, barred)
            case Try(block=block, handler=handler, error_name=error_name):
                self.block(block, known, barred)
                if handler is not None:
                    own = {error_name} if error_name else set()
                    self.block(handler, known | own, barred - own)
            case For() as loop:
                self._loop(loop, known, barred)
            case Parallel() as parallel:
                self._parallel(parallel, known, barred)

    def _loop(self, loop: For, known: set[str], barred: frozenset[str]) -> None:
        own = {loop.value, *([loop.index] if loop.index else [])}
        self.block(loop.block, known | own, barred - own)

    def _parallel(self, parallel: Parallel, known: set[str], barred: frozenset[str]) -> None:
        inner = barred | (known - set(parallel.shared))
        for _, block in parallel.branches:
            self.block(block, set(known), inner)
        if parallel.loop is not None:
            self._loop(parallel.loop, known, inner)


def _written(step: Step) -> list[str]:
    if isinstance(step.action, Assign):
        return [root(target) for target, _ in step.action.pairs]
    if isinstance(step.action, Call) and step.action.result is not None:
        return [step.action.result]
    return []
