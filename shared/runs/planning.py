"""The goal becomes steps: strict JSON from the model, checked by code, stored whole before any step begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.run_calls import PlanDraftStep
from shared.contracts.runs import AgentRun, PlannedStep, RunStatus, RunStep, StepKind, StepStatus
from shared.errors import MemexError, ModelOutputError, Transient
from shared.ids import derived
from shared.llm.port import ModelRequest
from shared.loop.seat import Halted
from shared.loop.workers import Workers
from shared.runs import budgets
from shared.runs.asking import Asked, ask, said
from shared.runs.claiming import Claim
from shared.runs.ending import Ending, Last, closing, step_write
from shared.runs.frames import of_run, of_step
from shared.runs.plan_check import SUB_AGENT, checked, schema
from shared.runs.ports import Key, Ports
from shared.runs.seat import StepSeat
from shared.runs.working import at_work, let_go
from shared.store import paths
from shared.store.streams import Append
from shared.store.writes import Snapshot, Write, create

_SECONDS, _OUTPUT_TOKENS = 90.0, 8_000


class Planning:
    def __init__(self, ports: Ports, workers: Workers) -> None:
        self._ports, self._workers = ports, workers

    def plan(self, key: Key, claim: Claim, until: datetime) -> None:
        """Plan the run, or fail it when there is no plan to be had; at `until` it is left to the next call.

        Raises Transient where the store is away.
        """
        seat, asked = StepSeat(self._ports, key, claim.step, until=until), Asked()
        try:
            if budgets.reached(claim.run, self._ports.now()) is not None:
                raise Transient("the time of the run is over.")
            with at_work(self._ports, self._workers, seat):
                steps = self._steps(seat, claim.run, asked)
        except Halted:
            let_go(seat)
            return
        except MemexError as error:
            self._failed(key, seat, asked, error)
            return
        self._store(key, seat, asked, steps)

    def _steps(self, seat: StepSeat, run: AgentRun, asked: Asked) -> tuple[PlanDraftStep, ...]:
        """The checked plan; what is wrong with it goes back to the model once."""
        specs, most = self._ports.tools().specs(), self._ports.settings.run_max_steps
        names = [spec.name for spec in specs]
        goal = said(f"<goal>\n{escape(run.goal, quote=False)}\n</goal>")
        listed = "\n".join(f"- {spec.name}: {spec.description}" for spec in specs)
        today = self._ports.now().date()
        prompt = _prompt().replace("{today}", f"{today:%A}, {today.isoformat()}").replace("{most}", str(most))
        request = ModelRequest(
            messages=(goal,),
            system=prompt.replace("{tools}", listed),
            schema=schema(names),
            max_output_tokens=_OUTPUT_TOKENS,
            deadline_seconds=_SECONDS,
        )
        text, answer = ask(self._ports, seat, request, asked)
        try:
            return checked(text, most=most, tools=names)
        except ModelOutputError as error:
            wrong = said(f"That is no plan to work by. {error.message} Answer with the whole plan anew, as JSON alone.")
            text, _answer = ask(self._ports, seat, replace(request, messages=(goal, answer, wrong)), asked)
            return checked(text, most=most, tools=names)

    def _store(self, key: Key, seat: StepSeat, asked: Asked, drafts: Sequence[PlanDraftStep]) -> None:
        """One commit of the plan, its frames and a document for each step; the synthesis is the last of them."""
        runs, now = self._ports.store(key.workspace).runs, self._ports.now()

        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            plan = runs.find_step(key.run_id, seat.id)
            if run is None or plan is None or run.status.terminal or not seat.holds(plan):
                return None
            steps = _documents(run, drafts, now)
            listed = [_listed(step) for step in steps]
            done = {"status": StepStatus.SUCCEEDED.value, "finished_at": now, "usage": asked.usage.model_dump()}
            writes: list[Write] = [create(paths.run_step(run.id, step.id), step.model_dump()) for step in steps]
            frames = (
                of_step(EventType.STEP_COMPLETED, plan, StepStatus.SUCCEEDED.value, stop_reason="end"),
                of_run(EventType.PLAN_READY, run, RunStatus.RUNNING.value, steps=listed),
            )
            spent = plan.model_copy(update={"usage": asked.usage})
            update = {
                "ledger": budgets.settled(run.ledger, spent).model_dump(),
                "status": RunStatus.RUNNING.value,
                "plan": [_planned(step).model_dump() for step in steps if step.kind is not StepKind.SYNTHESIS],
                "model_name": self._ports.plan_model().name,
                "updated_at": now,
            }
            return Append(update, frames, (step_write(plan, **done, updated_at=now), *writes))

        runs.append(key.run_id, decide, point="run.plan")

    def _failed(self, key: Key, seat: StepSeat, asked: Asked, error: MemexError) -> None:
        runs, now = self._ports.store(key.workspace).runs, self._ports.now()
        code = "no_plan" if isinstance(error, ModelOutputError) else error.code
        message = f"The goal could not be planned: {error.message}"
        if isinstance(error, Transient):
            message += " Start the run again later."

        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            plan = runs.find_step(key.run_id, seat.id)
            if run is None or plan is None or run.status.terminal or not seat.holds(plan):
                return None
            ending = Ending.failed(code, message)
            failed = plan.model_copy(
                update={
                    "status": StepStatus.FAILED,
                    "usage": asked.usage,
                    "error": ending.error,
                    "stop_reason": "error",
                }
            )
            frame = of_step(
                EventType.STEP_FAILED, plan, StepStatus.FAILED.value, code=code, message=message, again=False
            )
            return closing(run, runs.steps(key.run_id), ending, now, Last((frame,), (failed,)))

        runs.append(key.run_id, decide, point="run.end")


def _documents(run: AgentRun, drafts: Sequence[PlanDraftStep], now: datetime) -> list[RunStep]:
    ids = {draft.id: derived("step", run.id, str(n)) for n, draft in enumerate(drafts, 1)}
    steps = [
        RunStep(
            id=ids[draft.id],
            run_id=run.id,
            index=n,
            kind=StepKind.SUB_AGENT if draft.tool == SUB_AGENT else StepKind.TOOL_CALL,
            title=draft.title,
            task=draft.task,
            tool_name=None if draft.tool == SUB_AGENT else draft.tool,
            depends_on=tuple(dict.fromkeys(ids[name] for name in draft.depends_on)),
            created_at=now,
            updated_at=now,
        )
        for n, draft in enumerate(drafts, 1)
    ]
    synthesis = RunStep(
        id=derived("step", run.id, "synthesis"),
        run_id=run.id,
        index=len(steps) + 1,
        kind=StepKind.SYNTHESIS,
        title="Answer",
        depends_on=tuple(step.id for step in steps),
        created_at=now,
        updated_at=now,
    )
    return [*steps, synthesis]


def _planned(step: RunStep) -> PlannedStep:
    return PlannedStep(
        step_id=step.id, index=step.index, title=step.title, tool=step.tool_name, depends_on=step.depends_on
    )


def _listed(step: RunStep) -> dict[str, Any]:
    """A step as the frame of the plan lists it."""
    return {
        "step_id": step.id,
        "parent_step_id": step.parent_step_id,
        "index": step.index,
        "kind": step.kind.value,
        "title": step.title,
        "tool": step.tool_name or SUB_AGENT,
        "status": step.status.value,
        "depends_on": list(step.depends_on),
    }


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "plan.md").read_text(encoding="utf-8").strip()
