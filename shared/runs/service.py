"""Agent runs, put together: what the functions and the API call."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from shared.contracts.run_calls import LaneAnswer, PhaseAnswer, PlanRequest, RunArgument, RunFailRequest, WorkRequest
from shared.contracts.runs import AgentRun, RunCancelAnswer, RunStatus, StepKind
from shared.errors import MemexError
from shared.loop.workers import Workers
from shared.operations.executions import same_execution
from shared.runs.answering_chat import tell_session
from shared.runs.beginning import Beginning, Wanted, answer_of
from shared.runs.cancelling import Cancelling
from shared.runs.claiming import Claim, Claiming
from shared.runs.ending import Ending, end
from shared.runs.launching import Launching
from shared.runs.phases import lanes, phase
from shared.runs.planning import Planning
from shared.runs.ports import Key, Ports
from shared.runs.queueing import Queue
from shared.runs.showing import view
from shared.runs.synthesising import Synthesising
from shared.runs.taking_over import Superseded, held, take_over
from shared.runs.waiting import wait
from shared.runs.working import Working
from shared.store.effects import Effect

log = logging.getLogger(__name__)


class Runs:
    """Every transition of a run, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self._workers = Workers()
        self._beginning = Beginning(ports)
        queue = Queue()
        self._claiming = Claiming(ports, queue)
        self._planning = Planning(ports, self._workers)
        self._working = Working(ports, self._workers, queue)
        self._synthesising = Synthesising(ports, self._workers)
        self._cancelling = Cancelling(ports, self._workers)
        self.launching = Launching(ports)

    def begin(self, workspace: str, wanted: Wanted, *, key: str | None = None) -> tuple[AgentRun, bool]:
        """The run, and whether this call made it. Raises what Beginning.begin raises, and where there is no model."""
        self._check_models()
        run, created = self._beginning.begin(workspace, wanted, key=key)
        self._launched(Key(workspace, run.id))
        return run, created

    def begin_once(self, workspace: str, wanted: Wanted, effect: Effect) -> dict[str, str]:
        """Begin it for a tool, once for the effect; {run_id, status}. Raises as `begin`."""
        self._check_models()
        run, _created = self._beginning.begin(workspace, wanted, effect=effect)
        self._launched(Key(workspace, run.id))
        return answer_of(run)

    def run_created(self, key: Key) -> None:
        """A run was created: see that an execution drives it. Raises NotFound, Transient."""
        self.launching.await_or_ensure(key)

    def plan(self, request: PlanRequest) -> PhaseAnswer:
        """Take the run over for the calling execution, and plan it if that is not done. Raises NotFound, Transient."""
        key = _key(request)
        if self.ports.paused(key.workspace):
            return self._waiting(key)
        try:
            run = take_over(self.ports, key, request.execution)
            claim = self._claiming.one(key, run.fence, StepKind.PLAN, RunStatus.PLANNING)
            if isinstance(claim, Claim):
                self._planning.plan(key, claim, self._until())
        except Superseded:
            return self._over(key)
        return self._phase(key, run.fence, 0.0 if isinstance(claim, Claim) else claim.wait_seconds)

    def step(self, request: WorkRequest) -> LaneAnswer:
        """Claim a step and work on it until it has ended, or until the request's time is over. Raises Transient."""
        key, until = _key(request), self._until()
        if self.ports.paused(key.workspace):
            return LaneAnswer(more=False)
        try:
            claim = self._claiming.next(key, request.fence)
        except Superseded:
            return LaneAnswer(more=False)
        if not isinstance(claim, Claim):
            return LaneAnswer(more=claim.more, wait_seconds=claim.wait_seconds)
        self._working.work(key, claim, until)
        return LaneAnswer(more=True)

    def checkpoint(self, request: WorkRequest) -> PhaseAnswer:
        """Where the run stands when its lanes have nothing more to do. Raises Transient."""
        key = _key(request)
        if self.ports.paused(key.workspace):
            return self._waiting(key)
        try:
            held(self.ports.store(key.workspace).runs.find(key.run_id), key, request.fence)
        except Superseded:
            return self._over(key)
        return self._phase(key, request.fence, 1.0)

    def synthesise(self, request: WorkRequest) -> PhaseAnswer:
        """Write the answer, end the run with it, and tell the chat that began it. Raises Transient."""
        key = _key(request)
        if self.ports.paused(key.workspace):
            return self._waiting(key)
        try:
            claim = self._claiming.one(key, request.fence, StepKind.SYNTHESIS, RunStatus.SYNTHESISING)
            if isinstance(claim, Claim):
                self._synthesising.synthesise(key, claim, self._until())
        except Superseded:
            return self._over(key)
        return self._phase(key, request.fence, 0.0 if isinstance(claim, Claim) else claim.wait_seconds)

    def fail(self, request: RunFailRequest) -> PhaseAnswer:
        """End a run whose execution can go on no further, while it is still that execution's. Raises Transient."""

        def own(run: AgentRun) -> bool:
            return request.fence == run.fence if request.fence else same_execution(run.execution, request.execution)

        key = _key(request)
        if self.ports.paused(key.workspace):  # which may be all that is wrong
            return self._waiting(key)
        message = f"The run could not be driven to its end: {request.message[:500]} Start it again."
        end(self.ports, key, Ending.failed("workflow_failed", message), point="run.end", only=own)
        return self._over(key)

    def cancel(self, workspace: str, run_id: str) -> RunCancelAnswer:
        """End the run; a no-op that says so when it has ended. Raises NotFound, Transient."""
        key = Key(workspace, run_id)
        run, cancelled = self._cancelling.cancel(key)
        self._told(key, run)
        ended = f"There was nothing to cancel: the run has already ended ({run.status.value})."
        message = "The run was cancelled." if cancelled else ended
        return RunCancelAnswer(run=view(run), cancelled=cancelled, message=message)

    def _check_models(self) -> None:
        """Before anything is paid for: raises a MemexError that says what to set where a role has no model."""
        self.ports.plan_model()
        self.ports.work_model()

    def _until(self) -> datetime:
        return self.ports.now() + timedelta(seconds=self.ports.settings.run_request_seconds)

    def _launched(self, key: Key) -> None:
        """The fast path: what fails here is done by whoever hears of the new run."""
        try:
            self.launching.ensure(key)
        except MemexError as error:
            log.warning("run %s is started by its event: %s", key.run_id, error.message)

    def _phase(self, key: Key, fence: int, wait_seconds: float) -> PhaseAnswer:
        runs = self.ports.store(key.workspace).runs
        run, steps = runs.get(key.run_id), runs.steps(key.run_id)
        following = phase(run, steps)
        if following == "done":
            return self._over(key)
        if run.fence != fence:
            return PhaseAnswer(next="done", status=run.status, fence=fence)
        most = self.ports.settings.run_lanes
        found = lanes(steps, most) if following == "steps" else ()
        return PhaseAnswer(next=following, status=run.status, fence=fence, lanes=found, wait_seconds=wait_seconds)

    def _waiting(self, key: Key) -> PhaseAnswer:
        """The execution ends and the run does not: the sweep starts another once spending goes on."""
        run = wait(self.ports, key, launched=True)
        return PhaseAnswer(next="done", status=run.status, fence=run.fence)

    def _over(self, key: Key) -> PhaseAnswer:
        run = self.ports.store(key.workspace).runs.get(key.run_id)
        self._told(key, run)
        return PhaseAnswer(next="done", status=run.status, fence=run.fence)

    def _told(self, key: Key, run: AgentRun) -> None:
        """What the chat is not told now, the sweep tells it."""
        try:
            if run.status.terminal:
                tell_session(self.ports, key, run)
        except MemexError as error:
            log.warning("run %s: its chat is told later: %s", key.run_id, error.message)


def _key(request: RunArgument) -> Key:
    return Key(request.workspace, request.run_id)
