"""for: the items are evaluated once, each iteration has its own variables."""

from __future__ import annotations

from infra.local.workflows.errors import failure
from infra.local.workflows.machine import names, scopes
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import BlockFrame, LoopFrame, Scope, Thread
from infra.local.workflows.source.program import For
from infra.local.workflows.source.templates import fill
from infra.local.workflows.stdlib.functions import number, sequence
from infra.local.workflows.values import Value, copy


def start(machine: Machine, thread: Thread, action: For, block: str, index: int) -> None:
    """Begin a loop."""
    items, first, last = bounds(machine, thread, action)
    thread.frames.append(LoopFrame(block, index, items, first, last))


def bounds(machine: Machine, thread: Thread, action: For) -> tuple[list[Value] | None, Value, Value]:
    """The list that is looped over, or else the first and last number."""
    here = names.StepNames(machine, thread)
    if action.items is not None:
        return sequence("for: in", fill(action.items, here)), 0, 0
    assert action.bounds is not None
    first, last = (number("for: range", fill(one, here)) for one in action.bounds)
    if isinstance(first, float) != isinstance(last, float):
        first, last = float(first), float(last)
    return None, first, last


def count(items: list[Value] | None, first: Value, last: Value) -> int:
    """How many iterations there are."""
    return len(items) if items is not None else max(0, int(last - first) + 1 if last >= first else 0)


def iterate(machine: Machine, thread: Thread, frame: LoopFrame) -> None:
    """The next iteration, or the end of the loop."""
    action = machine.action_of(frame)
    if not isinstance(action, For):
        raise failure("SystemError", "the loop's step is no longer a loop")
    frame.position += 1
    if frame.position >= count(frame.items, frame.first, frame.last):
        thread.frames.pop()
        return
    frame.scope = Scope()
    bind(machine, frame.scope, action, frame.items, frame.first, frame.position)
    thread.frames.append(BlockFrame(action.block))


def bind(machine: Machine, scope: Scope, action: For, items: list[Value] | None, first: Value, position: int) -> None:
    """Set the loop's variables for one iteration."""
    value = copy(items[position]) if items is not None else first + position
    scopes.store(machine, scope, action.value, value)
    if action.index is not None:
        scopes.store(machine, scope, action.index, position)
