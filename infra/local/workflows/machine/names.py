"""What an expression in a running step can refer to: variables, functions, subworkflows."""

from __future__ import annotations

from collections.abc import Callable

from infra.local.workflows.errors import failure
from infra.local.workflows.machine import routines, scopes
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import Thread
from infra.local.workflows.stdlib.functions import ABSENT, string
from infra.local.workflows.stdlib.table import FUNCTIONS
from infra.local.workflows.values import Value


class StepNames:
    """The names of one step of one thread (a `Names`)."""

    def __init__(self, machine: Machine, thread: Thread) -> None:
        self._machine, self._thread = machine, thread

    def variable(self, name: str) -> Value:
        return scopes.read(self._machine, self._thread, name)

    def call(self, function: str, arguments: list[Value]) -> Value:
        routine = self._machine.program.routines.get(function)
        if routine is not None:
            return routines.call_in_expression(self._machine, self._thread, routine, arguments)
        return compute(self._machine, function, FUNCTIONS[function].bind_positional(arguments))


def compute(machine: Machine, function: str, bound: dict[str, Value]) -> Value:
    """A non-blocking library function's answer."""
    if contextual := _CONTEXTUAL.get(function):
        return contextual(machine, bound)
    run = FUNCTIONS[function].run
    assert run is not None, f"{function} blocks: deployment refuses it in expressions"
    return _guarded(function, run, bound)


def _guarded(function: str, run: Callable[..., Value], bound: dict[str, Value]) -> Value:
    try:
        return run(*bound.values())
    except (OverflowError, RecursionError, UnicodeError) as error:
        raise failure("ValueError", f"{function}: {error}") from error


def _now(machine: Machine, _bound: dict[str, Value]) -> Value:
    return machine.world.now().timestamp()


def _get_env(machine: Machine, bound: dict[str, Value]) -> Value:
    name = string("sys.get_env", bound["name"])
    if name in machine.environment:
        return machine.environment[name]
    if bound["default"] is ABSENT:
        raise failure("KeyError", f"environment variable not found: {name}")
    return bound["default"]


def _uuid(machine: Machine, _bound: dict[str, Value]) -> Value:
    return machine.world.new_id()


_CONTEXTUAL: dict[str, Callable[[Machine, dict[str, Value]], Value]] = {
    "sys.now": _now,
    "sys.get_env": _get_env,
    "uuid.generate": _uuid,
}
