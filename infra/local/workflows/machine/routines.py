"""Calls of subworkflows: the frame, the parameters, and what becomes of the value they return."""

from __future__ import annotations

from infra.local.workflows.errors import Raised, failure
from infra.local.workflows.limits import CALL_STACK
from infra.local.workflows.machine import attempts, ends, scopes, transitions
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import BlockFrame, Outcome, RoutineFrame, Scope, Thread
from infra.local.workflows.source.program import Call, Routine
from infra.local.workflows.values import Value, copy


def begin(machine: Machine, argument: Value) -> None:
    """The first thread: main with the execution's argument."""
    thread = Thread(0, None)
    machine.state.threads.append(thread)
    routine = machine.program.routines["main"]
    given = {parameter.name: argument for parameter in routine.parameters}
    enter(machine, thread, routine, given, "main")


def enter(machine: Machine, thread: Thread, routine: Routine, given: dict[str, Value], purpose: str) -> None:
    """Push a call of a routine. Raises RecursionError and TypeError maps."""
    if _depth(machine, thread) >= CALL_STACK:
        raise failure("RecursionError", f"maximum call stack depth of {CALL_STACK} exceeded")
    known = {parameter.name for parameter in routine.parameters}
    for name in given:
        if name not in known:
            raise failure("TypeError", f"'{routine.name}' has no parameter '{name}'")
    frame = RoutineFrame(routine.name, purpose, Scope())
    thread.frames.append(frame)
    for parameter in routine.parameters:
        if parameter.required and parameter.name not in given:
            thread.frames.pop()
            raise failure("TypeError", f"'{routine.name}' needs the parameter '{parameter.name}'")
        value = given.get(parameter.name, parameter.default)
        scopes.store(machine, frame.scope, parameter.name, copy(value))
    thread.frames.append(BlockFrame(routine.block))


def _depth(machine: Machine, thread: Thread) -> int:
    depth, current = 0, thread
    while True:
        depth += sum(isinstance(frame, RoutineFrame) for frame in current.frames)
        above = machine.state.thread(current.parent) if current.parent is not None else None
        if above is None:
            return depth
        current = above


def leave(machine: Machine, thread: Thread, value: Value) -> None:
    """Return from the innermost routine."""
    while not isinstance(thread.frames[-1], RoutineFrame):
        ends.pop(machine, thread, "SUCCEEDED")
    frame = thread.frames.pop()
    assert isinstance(frame, RoutineFrame)
    if frame.purpose == "main":
        machine.state.outcome = Outcome(True, value)
    elif frame.purpose == "predicate":
        attempts.decided(machine, thread, value)
    elif frame.purpose == "call":
        complete_call(machine, thread, value)
    else:
        thread.value = value


def complete_call(machine: Machine, thread: Thread, value: Value) -> None:
    """Give the call step under way its result."""
    action = machine.action_of(thread.frames[-1])
    assert isinstance(action, Call)
    if action.result is not None:
        scopes.write(machine, thread, action.result, value)


def call_in_expression(machine: Machine, thread: Thread, routine: Routine, arguments: list[Value]) -> Value:
    """Run a subworkflow to its end inside an expression; deployment made sure that it cannot wait."""
    given = {parameter.name: value for parameter, value in zip(routine.parameters, arguments, strict=False)}
    inner = Thread(-1, thread.parent, [*thread.frames])
    outside = len(inner.frames)
    enter(machine, inner, routine, given, "expression")
    while len(inner.frames) > outside:
        transitions.advance(machine, inner)
        if machine.state.outcome is not None:
            raise Raised(machine.state.outcome.value, fatal=True)
        if isinstance(inner.value, Failed):
            raise inner.value.error
    return inner.value


class Failed:
    """How an expression's own thread says that the routine raised."""

    def __init__(self, error: Raised) -> None:
        self.error = error
