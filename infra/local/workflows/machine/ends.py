"""How things end: frames popped, jumps taken, errors raised up to who handles them."""

from __future__ import annotations

from typing import Any

from infra.local.workflows.errors import Raised, message_of
from infra.local.workflows.machine import attempts, routines
from infra.local.workflows.machine.machine import Machine, StepEvent
from infra.local.workflows.machine.state import (
    AttemptFrame,
    BlockFrame,
    BranchFrame,
    LoopFrame,
    Outcome,
    ParallelFrame,
    RoutineFrame,
    Thread,
)
from infra.local.workflows.source.program import Jump
from infra.local.workflows.values import payload


def pop(machine: Machine, thread: Thread, ended: str) -> None:
    """Remove the innermost frame; a step under way in it has ended so."""
    frame = thread.frames.pop()
    if isinstance(frame, BlockFrame):
        end_step(machine, frame, ended)


def end_step(machine: Machine, frame: BlockFrame, ended: str) -> None:
    """Note in the history that a frame's step has ended."""
    if frame.entry:
        machine.events.append(StepEvent(frame.entry, machine.world.now(), ended=ended))
        frame.entry = 0


def jump(machine: Machine, thread: Thread, target: Jump) -> None:
    """Go where `next` says."""
    if target.kind == "end":
        routines.leave(machine, thread, None)
    elif target.kind == "step":
        while not (isinstance(thread.frames[-1], BlockFrame) and thread.frames[-1].block == target.block):
            pop(machine, thread, "SUCCEEDED")
        end_step(machine, thread.frames[-1], "SUCCEEDED")
        thread.frames[-1].goto = target.index
    else:
        while not isinstance(thread.frames[-1], LoopFrame | BranchFrame):
            pop(machine, thread, "SUCCEEDED")
        if target.kind == "break":
            thread.frames.pop()


def raise_error(machine: Machine, thread: Thread, raised: Raised) -> None:
    """Unwind to the try step that takes the error, or end the branch or the execution with it."""
    if machine.state.outcome is not None:
        return
    trace = machine.trace(thread)
    if raised.fatal:
        machine.state.outcome = Outcome(False, raised.error, trace)
        return
    unwind(machine, thread, raised, trace)


def unwind(machine: Machine, thread: Thread, raised: Raised, trace: list[dict[str, Any]]) -> None:
    """Pop frames until somebody takes the error."""
    while thread.frames:
        frame = thread.frames[-1]
        if isinstance(frame, AttemptFrame) and frame.phase == "trying":
            frame.error, frame.trace = raised.error, trace
            attempts.failed(machine, thread, frame)
            return
        if isinstance(frame, BranchFrame):
            end_branch(machine, thread, {"error": raised.error, "trace": trace})
            return
        pop(machine, thread, "FAILED")
        if isinstance(frame, RoutineFrame) and frame.purpose == "expression":
            thread.value = routines.Failed(raised)
            return
    machine.state.outcome = Outcome(False, raised.error, trace)


def end_branch(machine: Machine, thread: Thread, error: dict[str, Any] | None) -> None:
    """A branch or iteration is over; its parent goes on when it was the last."""
    branch = thread.frames[0]
    assert isinstance(branch, BranchFrame) and thread.parent is not None
    machine.state.threads.remove(thread)
    parent = machine.state.thread(thread.parent)
    assert parent is not None
    frame = parent.frames[-1]
    assert isinstance(frame, ParallelFrame)
    frame.running.remove(thread.number)
    if error is not None:
        frame.errors.append(_branch_error(branch.name, error))
    if not frame.running and frame.started == frame.total:
        parent.wait = None


def _branch_error(name: str, error: dict[str, Any]) -> dict[str, Any]:
    stack = [
        {"routine": one["routine"], "step": one["step"], "position": {"line": one["line"]}} for one in error["trace"]
    ]
    return {
        "id": name,
        "error": {
            "context": context(error["error"], error["trace"]),
            "payload": payload(error["error"]),
            "stack_trace": stack,
        },
    }


def context(error: Any, trace: list[dict[str, Any]]) -> str:
    """An error's `context`: its message, then the steps it came through."""
    places = (f'in step "{one["step"]}", routine "{one["routine"]}", line: {one["line"]}' for one in trace)
    return "\n".join([message_of(error), *places])
