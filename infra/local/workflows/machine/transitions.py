"""One transition: what the innermost frame of a thread does next."""

from __future__ import annotations

from collections.abc import Container

from infra.local.workflows.errors import Raised, failure, limit_reached
from infra.local.workflows.limits import STEPS_PER_EXECUTION
from infra.local.workflows.machine import attempts, calls, ends, loops, names, parallels, routines, scopes
from infra.local.workflows.machine.machine import Machine, StepEvent
from infra.local.workflows.machine.state import (
    AttemptFrame,
    BlockFrame,
    BranchFrame,
    HandlerFrame,
    JoinWait,
    LoopFrame,
    ParallelFrame,
    RoutineFrame,
    SleepWait,
    Thread,
)
from infra.local.workflows.source.program import (
    Assign,
    Call,
    For,
    Nested,
    Nothing,
    Parallel,
    Raise,
    Return,
    Step,
    Switch,
    Try,
)
from infra.local.workflows.source.templates import fill
from infra.local.workflows.values import Value


def advance(machine: Machine, thread: Thread) -> None:
    """Take one transition of a thread that waits for nothing."""
    try:
        _advance(machine, thread)
    except Raised as raised:
        ends.raise_error(machine, thread, raised)


def _advance(machine: Machine, thread: Thread) -> None:
    match thread.frames[-1]:
        case BlockFrame() as block:
            _next_step(machine, thread, block)
        case LoopFrame() as loop:
            loops.iterate(machine, thread, loop)
        case ParallelFrame() as parallel:
            parallels.join(machine, thread, parallel)
        case RoutineFrame():
            routines.leave(machine, thread, None)
        case BranchFrame():
            ends.end_branch(machine, thread, None)
        case AttemptFrame() | HandlerFrame():
            thread.frames.pop()


def _next_step(machine: Machine, thread: Thread, frame: BlockFrame) -> None:
    """End the step under way, if any, and begin the one that follows."""
    if frame.goto is None:
        step = machine.step_of(frame)
        ends.end_step(machine, frame, "SUCCEEDED")
        if step.jump is not None:
            ends.jump(machine, thread, step.jump)
            return
        frame.goto = frame.at + 1
    if frame.goto >= len(machine.program.blocks[frame.block]):
        thread.frames.pop()
        return
    frame.at, frame.goto = frame.goto, None
    step = machine.step_of(frame)
    _note(machine, frame, step)
    _perform(machine, thread, frame, step)


def _note(machine: Machine, frame: BlockFrame, step: Step) -> None:
    state = machine.state
    state.steps += 1
    if state.steps > STEPS_PER_EXECUTION:
        raise limit_reached(f"an execution may take {STEPS_PER_EXECUTION} steps", fatal=True)
    state.last_entry += 1
    frame.entry = state.last_entry
    routine, kind = frame.block.split("/", 1)[0], kind_of(step, machine.program.routines)
    machine.events.append(StepEvent(frame.entry, machine.world.now(), routine, step.name, kind))
    for _ in range(_billed(step)):
        machine.world.count_step(internal=True)


def _billed(step: Step) -> int:
    """How many steps the bill has for it: each variable assigned is one (cloud.google.com/workflows/pricing, 2026)."""
    if isinstance(step.action, Call) and calls.counts_itself(step.action.function):
        return 0
    return len(step.action.pairs) if isinstance(step.action, Assign) else 1


def kind_of(step: Step, subworkflows: Container[str]) -> str:
    """A step's type in the words of `stepEntries`; nested steps have none there."""
    if isinstance(step.action, Call):
        return "STEP_SUBWORKFLOW_CALL" if step.action.function in subworkflows else "STEP_STD_LIB_CALL"
    if isinstance(step.action, Parallel):
        return "STEP_PARALLEL_FOR" if step.action.loop is not None else "STEP_PARALLEL_BRANCH"
    return _KINDS.get(type(step.action), "STEP_TYPE_UNSPECIFIED")


_KINDS: dict[type, str] = {
    Assign: "STEP_ASSIGN",
    Switch: "STEP_SWITCH",
    For: "STEP_FOR",
    Try: "STEP_TRY_RETRY_EXCEPT",
    Raise: "STEP_RAISE",
    Return: "STEP_RETURN",
    Nothing: "STEP_GOTO",
}


def _perform(machine: Machine, thread: Thread, frame: BlockFrame, step: Step) -> None:
    here = names.StepNames(machine, thread)
    match step.action:
        case Assign(pairs=pairs):
            for target, value in pairs:
                scopes.assign(machine, thread, target, fill(value, here), here)
        case Call() as action:
            calls.start(machine, thread, action)
        case Switch() as action:
            _switch(thread, action, here)
        case Nested(block=block):
            thread.frames.append(BlockFrame(block))
        case For() as action:
            loops.start(machine, thread, action, frame.block, frame.at)
        case Parallel() as action:
            parallels.start(machine, thread, action, frame.block, frame.at)
        case Try() as action:
            attempts.start(machine, thread, action, frame.block, frame.at)
        case Raise(error=error):
            raise _raised(fill(error, here))
        case Return(value=value):
            routines.leave(machine, thread, fill(value, here))
        case Nothing():
            pass


def _switch(thread: Thread, action: Switch, here: names.StepNames) -> None:
    for case in action.cases:
        chosen = fill(case.condition, here)
        if not isinstance(chosen, bool):
            raise failure("TypeError", "a condition of 'switch' must be a boolean")
        if chosen:
            thread.frames.append(BlockFrame(case.block))
            return


def _raised(error: Value) -> Raised:
    if not isinstance(error, str | dict):
        return failure("TypeError", "'raise' takes a string or a map")
    return Raised(error)


def end_wait(machine: Machine, thread: Thread, value: Value) -> None:
    """A wait is over and gave `value`."""
    wait, thread.wait = thread.wait, None
    assert not isinstance(wait, JoinWait)
    if isinstance(wait, SleepWait) and wait.retry:
        attempts.again(machine, thread)
        return
    try:
        routines.complete_call(machine, thread, value)
    except Raised as raised:
        ends.raise_error(machine, thread, raised)
