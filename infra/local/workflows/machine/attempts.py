"""try, retry and except: what happens when the tried block fails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from infra.local.workflows.errors import Raised, failure
from infra.local.workflows.limits import SLEEP_SECONDS
from infra.local.workflows.machine import ends, names, routines, scopes
from infra.local.workflows.machine.state import (
    AttemptFrame,
    BlockFrame,
    HandlerFrame,
    Scope,
    SleepWait,
    Thread,
)
from infra.local.workflows.source.program import Try
from infra.local.workflows.source.templates import fill
from infra.local.workflows.stdlib.functions import integer, mapping, number
from infra.local.workflows.stdlib.retry import PREDICATES, decide
from infra.local.workflows.values import FunctionRef, Value

if TYPE_CHECKING:
    from infra.local.workflows.machine.machine import Machine


@dataclass(frozen=True)
class Policy:
    """A retry policy, evaluated; -1 retries means without end."""

    predicate: FunctionRef | None
    max_retries: int
    initial: float
    longest: float
    multiplier: float


def start(machine: Machine, thread: Thread, action: Try, block: str, index: int) -> None:
    """Begin a try step."""
    thread.frames.append(AttemptFrame(block, index))
    thread.frames.append(BlockFrame(action.block))


def failed(machine: Machine, thread: Thread, frame: AttemptFrame) -> None:
    """The tried block raised `frame.error`: ask the predicate, when there is one to ask and a retry left."""
    action = machine.action_of(frame)
    assert isinstance(action, Try)
    if action.retry is None:
        _handle(machine, thread, frame, action)
        return
    frame.phase = "deciding"
    try:
        policy = _policy(fill(action.retry, names.StepNames(machine, thread)))
        if 0 <= policy.max_retries <= frame.retries:
            _handle(machine, thread, frame, action)
        elif policy.predicate is None:
            decided(machine, thread, True)
        else:
            _ask(machine, thread, frame, policy.predicate)
    except Raised as raised:
        _outwards(machine, thread, raised)


def _ask(machine: Machine, thread: Thread, frame: AttemptFrame, predicate: FunctionRef) -> None:
    if predicate.name in PREDICATES:
        decided(machine, thread, decide(predicate.name, frame.error))
        return
    routine = machine.program.routines[predicate.name]
    given = {parameter.name: frame.error for parameter in routine.parameters[:1]}
    routines.enter(machine, thread, routine, given, "predicate")


def decided(machine: Machine, thread: Thread, answer: Value) -> None:
    """The predicate's answer: back off and try again, or handle the error."""
    frame = thread.frames[-1]
    assert isinstance(frame, AttemptFrame)
    action = machine.action_of(frame)
    assert isinstance(action, Try) and action.retry is not None
    try:
        if not isinstance(answer, bool):
            raise failure("TypeError", "a retry predicate must return a boolean")
        if not answer:
            _handle(machine, thread, frame, action)
            return
        policy = _policy(fill(action.retry, names.StepNames(machine, thread)))
    except Raised as raised:
        _outwards(machine, thread, raised)
        return
    frame.delay = min(policy.longest, frame.delay * policy.multiplier if frame.retries else policy.initial)
    frame.retries += 1
    frame.phase = "backing off"
    until = machine.world.now() + timedelta(seconds=frame.delay)
    thread.wait = SleepWait(machine.state.new_key(), until.isoformat(), retry=True)


def again(machine: Machine, thread: Thread) -> None:
    """The back-off is over: run the whole block again."""
    frame = thread.frames[-1]
    assert isinstance(frame, AttemptFrame)
    action = machine.action_of(frame)
    assert isinstance(action, Try)
    frame.phase, frame.error, frame.trace = "trying", None, []
    thread.frames.append(BlockFrame(action.block))


def _handle(machine: Machine, thread: Thread, frame: AttemptFrame, action: Try) -> None:
    thread.frames.pop()
    if action.handler is None:
        ends.unwind(machine, thread, Raised(frame.error), frame.trace)
        return
    handler = HandlerFrame(Scope())
    thread.frames += [handler, BlockFrame(action.handler)]
    if action.error_name is not None:
        scopes.store(machine, handler.scope, action.error_name, frame.error)


def _outwards(machine: Machine, thread: Thread, raised: Raised) -> None:
    """The retry itself is at fault: its error takes the place of the first."""
    ends.raise_error(machine, thread, raised)


def _policy(value: Value) -> Policy:
    given = mapping("retry", value)
    predicate = given.get("predicate")
    if predicate is not None and not isinstance(predicate, FunctionRef):
        raise failure("TypeError", "retry: 'predicate' must name a function or subworkflow")
    backoff = mapping("retry: backoff", given.get("backoff") or {})
    return Policy(
        predicate,
        integer("retry: max_retries", given.get("max_retries", 5)),
        _seconds("initial_delay", backoff.get("initial_delay", 1.0)),
        _seconds("max_delay", backoff.get("max_delay", 60.0)),
        float(number("retry: multiplier", backoff.get("multiplier", 1.25))),
    )


def _seconds(name: str, value: Value) -> float:
    seconds = float(number(f"retry: {name}", value))
    if not 0 <= seconds <= SLEEP_SECONDS:
        raise failure("ValueError", f"retry: {name} must be between 0 and {SLEEP_SECONDS} seconds")
    return seconds
