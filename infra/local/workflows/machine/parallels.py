"""parallel: branches and iterations as threads of their own, started within the limits, joined at the end."""

from __future__ import annotations

from infra.local.workflows.errors import Raised, failure
from infra.local.workflows.limits import CONCURRENT_BRANCHES, PARALLEL_DEPTH, UNHANDLED_BRANCH_ERRORS
from infra.local.workflows.machine import loops, names, scopes
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import (
    BlockFrame,
    BranchFrame,
    JoinWait,
    ParallelFrame,
    Scope,
    Thread,
)
from infra.local.workflows.source.program import Parallel
from infra.local.workflows.source.templates import fill
from infra.local.workflows.stdlib.functions import integer
from infra.local.workflows.values import Value

_MESSAGE = "UnhandledBranchError: One or more branches or iterations encountered an unhandled runtime error"


def start(machine: Machine, thread: Thread, action: Parallel, block: str, index: int) -> None:
    """Begin a parallel step; its threads are started by `start_branches`."""
    if _depth(machine, thread) >= PARALLEL_DEPTH:
        raise failure("ParallelNestingError", f"parallel steps can be nested to a depth of {PARALLEL_DEPTH}")
    for name in action.shared:
        scopes.read(machine, thread, name)
    limit = _limit(machine, thread, action)
    items: list[Value] | None = None
    first: Value = 0
    total = len(action.branches)
    if action.loop is not None:
        items, first, last = loops.bounds(machine, thread, action.loop)
        total = loops.count(items, first, last)
    thread.frames.append(ParallelFrame(block, index, total, limit, items, first))
    if total:
        thread.wait = JoinWait(machine.state.new_key())


def _limit(machine: Machine, thread: Thread, action: Parallel) -> int:
    if action.limit is None:
        return CONCURRENT_BRANCHES
    limit = integer("concurrency_limit", fill(action.limit, names.StepNames(machine, thread)))
    if limit < 1:
        raise failure("ValueError", "concurrency_limit must be positive")
    return min(limit, CONCURRENT_BRANCHES)


def _depth(machine: Machine, thread: Thread) -> int:
    depth, current = 0, thread
    while current.parent is not None:
        above = machine.state.thread(current.parent)
        assert above is not None
        depth, current = depth + 1, above
    return depth


def start_branches(machine: Machine) -> None:
    """Start threads for every parallel step that has some left, as far as the limits allow.

    A thread that waits for its own branches does no work, so it does not count: nesting cannot starve itself.
    """
    at_work = sum(
        thread.parent is not None and not isinstance(thread.wait, JoinWait) for thread in machine.state.threads
    )
    for thread in list(machine.state.threads):
        frame = thread.frames[-1] if thread.frames else None
        if not isinstance(frame, ParallelFrame):
            continue
        while frame.started < frame.total and len(frame.running) < frame.limit and at_work < CONCURRENT_BRANCHES:
            _start_one(machine, thread, frame)
            at_work += 1


def _start_one(machine: Machine, parent: Thread, frame: ParallelFrame) -> None:
    action = machine.action_of(frame)
    assert isinstance(action, Parallel)
    number = frame.started
    machine.state.last_thread += 1
    name, block = action.branches[number] if action.loop is None else (str(number), action.loop.block)
    branch = BranchFrame(name, list(action.shared), Scope())
    child = Thread(machine.state.last_thread, parent.number, [branch, BlockFrame(block)])
    machine.state.threads.append(child)
    frame.running.append(child.number)
    frame.started += 1
    if action.loop is not None:
        loops.bind(machine, branch.scope, action.loop, frame.items, frame.first, number)


def join(machine: Machine, thread: Thread, frame: ParallelFrame) -> None:
    """All threads are done: go on, or raise what went wrong in them."""
    thread.frames.pop()
    if not frame.errors:
        return
    kept = frame.errors[:UNHANDLED_BRANCH_ERRORS]
    raise Raised(
        {
            "message": _MESSAGE,
            "tags": ["UnhandledBranchError", "RuntimeError"],
            "branches": kept,
            "truncated": len(kept) < len(frame.errors),
        }
    )
