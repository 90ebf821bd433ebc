"""call: subworkflows, library functions, and the functions that wait."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from infra.local.workflows.errors import failure
from infra.local.workflows.limits import SLEEP_SECONDS
from infra.local.workflows.machine import http_call, names, routines
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import Callback, CallbackWait, HttpWait, SleepWait, Thread
from infra.local.workflows.source.program import Call
from infra.local.workflows.source.templates import fill
from infra.local.workflows.stdlib.encoding import parse_time
from infra.local.workflows.stdlib.functions import mapping, number, string
from infra.local.workflows.stdlib.table import FUNCTIONS
from infra.local.workflows.values import Value, copy

_SEVERITIES = ("DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY")
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH")


def counts_itself(function: str) -> bool:
    """Whether a call decides by its target if it is an internal or an external step."""
    return function.startswith("http.") or function == "events.await_callback"


def start(machine: Machine, thread: Thread, action: Call) -> None:
    """Make a call, or begin to wait for it."""
    given: Value = fill(action.arguments, names.StepNames(machine, thread)) if action.arguments is not None else {}
    arguments = mapping(action.function, given)
    if action.function in machine.program.routines:
        routines.enter(machine, thread, machine.program.routines[action.function], arguments, "call")
        return
    bound = FUNCTIONS[action.function].bind(arguments)
    if action.function.startswith("http."):
        _http(machine, thread, action.function, bound)
    elif blocking := _BLOCKING.get(action.function):
        blocking(machine, thread, bound)
    else:
        routines.complete_call(machine, thread, copy(names.compute(machine, action.function, bound)))


def _http(machine: Machine, thread: Thread, function: str, bound: dict[str, Value]) -> None:
    request = http_call.build(function, bound)
    machine.world.count_step(internal=http_call.is_internal(request["url"]))
    thread.wait = HttpWait(machine.state.new_key(), request)


def _sleep(machine: Machine, thread: Thread, bound: dict[str, Value]) -> None:
    seconds = number("sys.sleep", bound["seconds"])
    if not 0 <= seconds <= SLEEP_SECONDS:
        raise failure("ValueError", f"sys.sleep: seconds must be between 0 and {SLEEP_SECONDS}")
    until = machine.world.now() + timedelta(seconds=seconds)
    thread.wait = SleepWait(machine.state.new_key(), until.isoformat())


def _sleep_until(machine: Machine, thread: Thread, bound: dict[str, Value]) -> None:
    until = parse_time("sys.sleep_until", bound["time"])
    if until > machine.world.now() + timedelta(seconds=SLEEP_SECONDS):
        raise failure("ValueError", f"sys.sleep_until: the time is more than {SLEEP_SECONDS} seconds away")
    thread.wait = SleepWait(machine.state.new_key(), until.isoformat())


def _log(machine: Machine, thread: Thread, bound: dict[str, Value]) -> None:
    severity = string("sys.log", bound["severity"]).upper()
    if severity not in _SEVERITIES:
        raise failure("ValueError", f"sys.log: unknown severity {bound['severity']!r}")
    content = [bound[name] for name in ("data", "text", "json") if bound[name] is not None]
    if len(content) != 1:
        raise failure("ValueError", "sys.log: give exactly one of 'data', 'text' and 'json'")
    machine.world.log(severity, content[0])
    routines.complete_call(machine, thread, None)


def _create_callback(machine: Machine, thread: Thread, bound: dict[str, Value]) -> None:
    method = string("events.create_callback_endpoint", bound["http_callback_method"]).upper()
    if method not in _METHODS:
        raise failure("ValueError", f"events.create_callback_endpoint: unknown method {method!r}")
    name = machine.world.new_id()
    machine.state.callbacks[name] = Callback(name, method)
    routines.complete_call(machine, thread, {"url": machine.world.callback_url(name)})


def _await_callback(machine: Machine, thread: Thread, bound: dict[str, Value]) -> None:
    machine.world.count_step(internal=False)
    url = mapping("events.await_callback", bound["callback"]).get("url")
    name = url.rsplit("/", 1)[-1] if isinstance(url, str) else ""
    callback = machine.state.callbacks.get(name)
    if callback is None:
        raise failure("ValueError", "events.await_callback: the callback is not one of this execution")
    seconds = number("events.await_callback", bound["timeout"])
    if not 0 <= seconds <= SLEEP_SECONDS:
        raise failure("ValueError", f"events.await_callback: timeout must be between 0 and {SLEEP_SECONDS}")
    if callback.received:
        routines.complete_call(machine, thread, callback.received.pop(0))
        return
    until = machine.world.now() + timedelta(seconds=seconds)
    thread.wait = CallbackWait(machine.state.new_key(), name, until.isoformat())


_BLOCKING: dict[str, Callable[[Machine, Thread, dict[str, Value]], None]] = {
    "sys.sleep": _sleep,
    "sys.sleep_until": _sleep_until,
    "sys.log": _log,
    "events.create_callback_endpoint": _create_callback,
    "events.await_callback": _await_callback,
}
