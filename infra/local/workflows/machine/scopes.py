"""Variables: where a name is found, where a value goes, and what all of it may weigh."""

from __future__ import annotations

from collections.abc import Iterator

from infra.local.workflows.errors import Raised, failure, limit_reached
from infra.local.workflows.expressions.evaluate import Names, evaluate, position
from infra.local.workflows.expressions.nodes import Index, Member, Name, Node
from infra.local.workflows.limits import MEMORY_BYTES, STRING_BYTES
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import (
    BranchFrame,
    HandlerFrame,
    LoopFrame,
    RoutineFrame,
    Scope,
    Thread,
)
from infra.local.workflows.source.names import root
from infra.local.workflows.values import Value, size_of, type_name


def _scopes(machine: Machine, thread: Thread) -> Iterator[tuple[Scope, BranchFrame | None]]:
    """Scopes from the innermost outwards; after a branch's own, that branch: what lies beyond is its parent's."""
    current: Thread | None = thread
    while current is not None:
        for frame in reversed(current.frames):
            if isinstance(frame, RoutineFrame | LoopFrame | HandlerFrame | BranchFrame):
                yield frame.scope, frame if isinstance(frame, BranchFrame) else None
            if isinstance(frame, RoutineFrame):
                return
        current = machine.state.thread(current.parent) if current.parent is not None else None


def read(machine: Machine, thread: Thread, name: str) -> Value:
    """A variable's value, not copied. Raises KeyError maps."""
    for scope, _ in _scopes(machine, thread):
        if name in scope.values:
            return scope.values[name]
    raise failure("KeyError", f"key not found: {name}")


def _owner(machine: Machine, thread: Thread, name: str) -> Scope | None:
    """The scope that holds a variable, if it may be written from here."""
    crossed: list[BranchFrame] = []
    for scope, branch in _scopes(machine, thread):
        if name in scope.values:
            if any(name not in one.shared for one in crossed):
                raise _not_shared(name)
            return scope
        if branch is not None:
            crossed.append(branch)
    return None


def _not_shared(name: str) -> Raised:
    return failure("ValueError", f"the variable '{name}' must be listed in 'shared' to be written in a parallel step")


def write(machine: Machine, thread: Thread, name: str, value: Value) -> None:
    """Assign a variable where it lives, or make it in the innermost scope."""
    scope = _owner(machine, thread, name) or next(_scopes(machine, thread))[0]
    store(machine, scope, name, value)


def store(machine: Machine, scope: Scope, name: str, value: Value) -> None:
    """Put a value into a scope. Raises ResourceLimitError maps."""
    scope.values[name] = value
    _weigh(machine, scope, name)


def assign(machine: Machine, thread: Thread, target: Node, value: Value, names: Names) -> None:
    """`target: value` of an assign step: a variable, or a place in a map or list."""
    if isinstance(target, Name):
        write(machine, thread, target.name, value)
        return
    assert isinstance(target, Member | Index)
    name = root(target)
    scope = _owner(machine, thread, name)
    if scope is None:
        raise failure("KeyError", f"key not found: {name}")
    owner = evaluate(target.owner, names)
    if isinstance(target, Member):
        _set_key(owner, target.key, value)
    else:
        _set_item(owner, evaluate(target.index, names), value)
    _weigh(machine, scope, name)


def _set_key(owner: Value, key: str, value: Value) -> None:
    if not isinstance(owner, dict):
        raise failure("TypeError", f"cannot set the key '{key}' of a value of type '{type_name(owner)}'")
    owner[key] = value


def _set_item(owner: Value, index: Value, value: Value) -> None:
    if isinstance(owner, list):
        owner[position(owner, index)] = value
    elif isinstance(index, str):
        _set_key(owner, index, value)
    else:
        raise failure("TypeError", f"cannot index a '{type_name(owner)}' by a '{type_name(index)}'")


def _weigh(machine: Machine, scope: Scope, name: str) -> None:
    size = size_of(scope.values[name])
    scope.sizes[name] = size
    if size > STRING_BYTES:
        _check_strings(scope.values[name])
    if memory(machine) > MEMORY_BYTES:
        del scope.values[name], scope.sizes[name]
        raise limit_reached(f"memory usage limit exceeded: variables may take {MEMORY_BYTES // 1024} KB")


def memory(machine: Machine) -> int:
    """The bytes all variables of the execution take."""
    frames = (frame for thread in machine.state.threads for frame in thread.frames)
    scopes = (
        frame.scope for frame in frames if isinstance(frame, RoutineFrame | LoopFrame | HandlerFrame | BranchFrame)
    )
    return sum(sum(scope.sizes.values()) for scope in scopes)


def _check_strings(value: Value) -> None:
    if isinstance(value, str) and len(value.encode("utf-8", "replace")) > STRING_BYTES:
        raise limit_reached(f"a string may take {STRING_BYTES // 1024} KB")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        _check_strings(one)
