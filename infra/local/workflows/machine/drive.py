"""Moves a machine: transitions until every thread waits or the execution has ended, and the ends of waits."""

from __future__ import annotations

from infra.local.workflows.errors import Raised
from infra.local.workflows.machine.ends import raise_error
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.parallels import start_branches
from infra.local.workflows.machine.state import Thread
from infra.local.workflows.machine.transitions import advance, end_wait
from infra.local.workflows.values import Value


def run(machine: Machine, budget: int) -> bool:
    """Take up to about `budget` transitions, a turn for each thread; whether there is more to do at once."""
    while machine.state.outcome is None:
        start_branches(machine)
        ready = [thread for thread in machine.state.threads if thread.wait is None]
        if not ready:
            return False
        if budget <= 0:
            return True
        for thread in ready:
            if machine.state.outcome is None:
                advance(machine, thread)
        budget -= len(ready)
    return False


def resume(machine: Machine, key: int, value: Value) -> bool:
    """End a wait with a value; False when nobody waits under that key any more."""
    thread = _waiting(machine, key)
    if thread is None:
        return False
    end_wait(machine, thread, value)
    return True


def fail(machine: Machine, key: int, error: Raised) -> bool:
    """End a wait with an error; False as for `resume`."""
    thread = _waiting(machine, key)
    if thread is None:
        return False
    thread.wait = None
    raise_error(machine, thread, error)
    return True


def _waiting(machine: Machine, key: int) -> Thread | None:
    if machine.state.outcome is not None:
        return None
    return next((one for one in machine.state.threads if one.wait is not None and one.wait.key == key), None)
