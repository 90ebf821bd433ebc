"""The beginning of a run: what it may cost is set aside, then one commit of the run, its frame and its plan step."""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts.events import EventType
from shared.contracts.runs import AgentRun, Ledger, RunCreate, RunStatus, RunStep, StepKind
from shared.contracts.usage import UsageKind
from shared.errors import MemexError, NotFound, Unprocessable
from shared.ids import derived
from shared.runs.budgets import limits_of
from shared.runs.frames import of_run
from shared.runs.ports import Key, Ports
from shared.store import paths
from shared.store.effects import Effect
from shared.store.streams import Append
from shared.store.writes import Snapshot, create
from shared.usage.spending import Amount

_HOLD_SECONDS = 86_400.0
"""What was set aside for a run that nobody could start comes back after so long."""


@dataclass(frozen=True)
class Wanted:
    """A run that is asked for: what, by whom, and from which turn of which chat."""

    goal: str
    user: str = "api"
    session_id: str | None = None
    turn_id: str | None = None
    operation_id: str | None = None

    @classmethod
    def of(cls, request: RunCreate) -> Wanted:
        return cls(request.goal, session_id=request.session_id)


class Beginning:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def begin(
        self, workspace: str, wanted: Wanted, *, key: str | None = None, effect: Effect | None = None
    ) -> tuple[AgentRun, bool]:
        """The run, and whether this call made it; the same `key`, or the same effect, is the same run.

        Raises Forbidden, PaymentRequired or BudgetExceeded where it may not be, NotFound for a session that is none,
        Unprocessable for a key that was used with another goal, and Transient.
        """
        store = self._ports.store(workspace)
        cause = effect.key if effect is not None else key
        run_id = derived("run", workspace, cause) if cause is not None else self._ports.ids.fresh()
        known = store.runs.find(run_id)
        if known is None:
            if wanted.session_id is not None and store.chats.find(wanted.session_id) is None:
                raise NotFound(f"There is no session {wanted.session_id}.")
            self._reserve(workspace, run_id, wanted)
        try:
            return self._stored(Key(workspace, run_id), wanted, effect)
        except MemexError:
            self._released(Key(workspace, run_id))
            raise

    def _reserve(self, workspace: str, run_id: str, wanted: Wanted) -> None:
        """An operation's run is paid for by what was set aside for the operation."""
        if wanted.operation_id is not None:
            return
        limits = limits_of(self._ports.settings)
        most = Amount(limits.tokens, limits.usd)
        self._ports.spending.reserve(workspace, UsageKind.RUN, run_id, most, seconds=_HOLD_SECONDS)

    def _stored(self, key: Key, wanted: Wanted, effect: Effect | None) -> tuple[AgentRun, bool]:
        run = self._new(key.run_id, wanted)

        def decide(stored: AgentRun | None, _found: Snapshot) -> Append | None:
            if stored is not None:
                if stored.goal != wanted.goal:
                    message = "This Idempotency-Key was used for another run: take a new one."
                    raise Unprocessable(message, field="Idempotency-Key")
                return None
            plan = self._plan_step(run)
            frame = of_run(EventType.RUN_STARTED, run, RunStatus.QUEUED.value, goal=run.goal)
            document = create(paths.run_step(run.id, plan.id), plan.model_dump())
            also = effect.writes(answer_of(run)) if effect is not None else ()
            return Append(run.model_dump(), (frame,), (document, *also))

        change = self._ports.store(key.workspace).runs.append(key.run_id, decide, point="run.create", create=True)
        return change.run, change.changed

    def _new(self, run_id: str, wanted: Wanted) -> AgentRun:
        now = self._ports.now()
        return AgentRun(
            id=run_id,
            session_id=wanted.session_id,
            turn_id=wanted.turn_id,
            operation_id=wanted.operation_id,
            user=wanted.user,
            goal=wanted.goal,
            created_at=now,
            updated_at=now,
            ledger=Ledger(limits=limits_of(self._ports.settings)),
        )

    @staticmethod
    def _plan_step(run: AgentRun) -> RunStep:
        return RunStep(
            id=derived("step", run.id, "plan"),
            run_id=run.id,
            index=0,
            kind=StepKind.PLAN,
            title="Plan",
            created_at=run.created_at,
            updated_at=run.created_at,
        )

    def _released(self, key: Key) -> None:
        """What was set aside comes back, unless the run was stored after all."""
        if self._ports.store(key.workspace).runs.find(key.run_id) is None:
            self._ports.spending.release(key.workspace, key.run_id)


def answer_of(run: AgentRun) -> dict[str, str]:
    """What the tool that begins a run answers."""
    return {"run_id": run.id, "status": RunStatus.QUEUED.value}
