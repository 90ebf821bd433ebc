"""Drives executions: runs machines until they wait, stores where they stand, arms what they wait for.

A machine's state is stored before anything it waits for is set going, and again when it waits the next
time. So after a SIGKILL an HTTP call under way is made again, a sleep goes on, and nothing is lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from infra.local.clock import Clock
from infra.local.meter import Meter
from infra.local.workflows import waits
from infra.local.workflows.errors import Raised
from infra.local.workflows.live import ExecutionWorld, Live
from infra.local.workflows.machine import drive, routines
from infra.local.workflows.machine.ends import context
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.machine.state import CallbackWait, Outcome, State
from infra.local.workflows.ports import Http, NewId, Tokens
from infra.local.workflows.source.compile import compile_source
from infra.local.workflows.source.program import Program
from infra.local.workflows.store import End, NewExecution, Revision, Store
from infra.local.workflows.values import Value, from_json, pack, payload, to_json, unpack

_SLICE = 500


@dataclass(frozen=True)
class Outside:
    """What the engine works with."""

    clock: Clock
    meter: Meter
    http: Http
    tokens: Tokens
    new_id: NewId
    project: str
    location: str
    callback_base: Callable[[], str]


class Engine:
    """All executions that are under way."""

    def __init__(self, store: Store, outside: Outside) -> None:
        self._store, self.outside = store, outside
        self._live: dict[str, Live] = {}
        self._programs: dict[tuple[str, str], Program] = {}
        self._lock = threading.Lock()
        self._closed = False

    def create(self, revision: Revision, argument: str, labels: dict[str, str], call_log_level: int) -> str:
        """Store a new execution and set it going; returns its id. `argument` is JSON or empty."""
        execution = self.outside.new_id()
        machine = self._machine(execution, revision, State())
        routines.begin(machine, from_json(argument) if argument else None)
        started = self.outside.clock.now()
        state = pack(machine.state)
        self._store.add_execution(
            NewExecution(
                execution, revision.workflow, revision.revision, argument, labels, call_log_level, started, state
            )
        )
        self._adopt(execution, machine, revision)
        return execution

    def resume_all(self) -> None:
        """Go on with every stored execution that has not ended, each from its own revision."""
        for execution in self._store.active():
            row, stored = self._store.execution(execution), self._store.machine(execution)
            if row is None or stored is None or execution in self._live:
                continue
            revision = self._store.revision(row.workflow, row.revision)
            assert revision is not None, f"execution {execution} names an unknown revision"
            self._adopt(execution, self._machine(execution, revision, unpack(stored)), revision)

    def _machine(self, execution: str, revision: Revision, state: State) -> Machine:
        def callback_address(callback: str) -> str:
            return f"{self.outside.callback_base()}/v1/{self._name(execution, revision)}/callbacks/{callback}"

        world = ExecutionWorld(execution, self.outside.clock, self.outside.meter, self.outside.new_id, callback_address)
        return Machine(self._program(revision), state, world, self._environment(execution, revision))

    def _name(self, execution: str, revision: Revision) -> str:
        where = f"projects/{self.outside.project}/locations/{self.outside.location}"
        return f"{where}/workflows/{revision.workflow}/executions/{execution}"

    def _program(self, revision: Revision) -> Program:
        key = revision.workflow, revision.revision
        if key not in self._programs:
            self._programs[key] = compile_source(revision.source, revision.file)
        return self._programs[key]

    def _environment(self, execution: str, revision: Revision) -> dict[str, str]:
        return {
            **revision.environment,
            "GOOGLE_CLOUD_PROJECT_ID": self.outside.project,
            "GOOGLE_CLOUD_PROJECT_NUMBER": "0",
            "GOOGLE_CLOUD_LOCATION": self.outside.location,
            "GOOGLE_CLOUD_WORKFLOW_ID": revision.workflow,
            "GOOGLE_CLOUD_WORKFLOW_REVISION_ID": revision.revision,
            "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ID": execution,
            "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ATTEMPT": "1",
            "GOOGLE_CLOUD_SERVICE_ACCOUNT_NAME": revision.service_account,
        }

    def _adopt(self, execution: str, machine: Machine, revision: Revision) -> None:
        live = Live(execution, machine, revision)
        with self._lock:
            self._live[execution] = live
        self.outside.clock.spawn(lambda: self._begin(live), f"workflow execution {execution}")

    def _begin(self, live: Live) -> None:
        with live.lock:
            self._drive(live)

    def _drive(self, live: Live) -> None:
        """Run until everything waits or it has ended. The caller holds the execution's lock."""
        while not self._halted(live) and drive.run(live.machine, _SLICE):
            self._checkpoint(live)
        if self._halted(live):
            return
        if live.machine.state.outcome is not None:
            self._finish(live, live.machine.state.outcome)
            return
        self._checkpoint(live)
        for wait in live.machine.waits():
            if wait.key not in live.armed:
                live.armed.add(wait.key)
                waits.arm(self, live, wait)

    def _halted(self, live: Live) -> bool:
        return live.stopped or self._closed

    def _checkpoint(self, live: Live) -> None:
        machine = live.machine
        events, machine.events = machine.events, []
        self._store.checkpoint(live.id, pack(machine.state), machine.current_steps(), events)

    def _finish(self, live: Live, outcome: Outcome) -> None:
        result, error, state = "", None, "SUCCEEDED"
        try:
            if outcome.succeeded:
                result = to_json(outcome.value)
        except Raised as raised:
            outcome = Outcome(False, raised.error)
        if not outcome.succeeded:
            state, error = "FAILED", error_resource(outcome)
        begun = [event for event in live.machine.events if event.ended is None]
        last = {"routine": begun[-1].routine, "step": begun[-1].step} if begun else None
        now = self.outside.clock.now()
        self._store.finish(End(live.id, state, now, result, error, last, live.machine.events))
        self._forget(live)

    def _forget(self, live: Live) -> None:
        live.stop()
        with self._lock:
            self._live.pop(live.id, None)

    def deliver(self, live: Live, key: int, value: Value | Raised) -> None:
        """End a wait and go on; what comes too late, or for an execution that ended, is ignored."""
        with live.lock:
            if self._halted(live):
                return
            if timer := live.timers.pop(key, None):
                timer.cancel()
            live.armed.discard(key)
            machine = live.machine
            taken = drive.fail(machine, key, value) if isinstance(value, Raised) else drive.resume(machine, key, value)
            if taken:
                self._drive(live)

    def cancel(self, execution: str) -> bool:
        """End an active execution as CANCELLED, at once; False when it has ended."""
        live = self._live.get(execution)
        if live is not None:
            live.stopped = True  # seen between two slices, so a busy execution lets go of its lock soon
            with live.lock:
                live.stop()
        error = {"payload": payload("Execution cancelled"), "context": "", "stack_trace": []}
        ended = self._store.finish(End(execution, "CANCELLED", self.outside.clock.now(), error=error))
        if live is not None:
            self._forget(live)
        return ended

    def callback(self, execution: str, callback: str, request: dict[str, Value]) -> str | None:
        """Hand a callback request to who awaits it, or keep it. Returns None, or what was wrong:
        `unknown` or `method`. It is stored before this returns."""
        live = self._live.get(execution)
        if live is None:
            return "unknown"
        with live.lock:
            endpoint = live.machine.state.callbacks.get(callback)
            if endpoint is None or self._halted(live):
                return "unknown"
            if endpoint.method != request["http_request"]["method"]:
                return "method"
            waiting = [
                one for one in live.machine.waits() if isinstance(one, CallbackWait) and one.callback == callback
            ]
            if not waiting:
                endpoint.received.append(request)
                self._checkpoint(live)
                return None
            key = waiting[0].key
            drive.resume(live.machine, key, request)
            if timer := live.timers.pop(key, None):
                timer.cancel()
            self._checkpoint(live)
        self.outside.clock.spawn(lambda: self._begin(live), f"workflow execution {execution}")
        return None

    def callbacks(self, execution: str) -> list[tuple[str, str, int]]:
        """The callback endpoints of an active execution: name, method, how many await them."""
        live = self._live.get(execution)
        if live is None:
            return []
        with live.lock:
            awaited = [one.callback for one in live.machine.waits() if isinstance(one, CallbackWait)]
            endpoints = live.machine.state.callbacks.values()
            return [(one.name, one.method, awaited.count(one.name)) for one in endpoints]

    def close(self) -> None:
        """Stop all executions where they stand; their state is stored."""
        self._closed = True
        with self._lock:
            live = list(self._live.values())
        for one in live:
            if one.lock.acquire(timeout=5):
                one.stop()
                one.lock.release()


def error_resource(outcome: Outcome) -> dict[str, Value]:
    """A failed outcome as the API's `error`."""
    trace = [{"step": one["step"], "routine": one["routine"], "line": one["line"]} for one in outcome.trace]
    return {"payload": payload(outcome.value), "context": context(outcome.value, outcome.trace), "stack_trace": trace}
