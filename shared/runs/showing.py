"""Runs and steps as they are shown outside the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shared.contracts.events import Event, EventType
from shared.contracts.operations import Failure
from shared.contracts.prices import input_tokens, output_tokens, usd_of
from shared.contracts.runs import AgentRun, RunStatus, RunStep, RunView, RunWithSteps, StepKind, StepStatus, StepView
from shared.ids import derived
from shared.runs.budgets import totals
from shared.store import paths
from shared.store.event_size import cut_texts, size
from shared.store.workspace import WorkspaceStore

_OUTPUT_BYTES, _TEXT_BYTES = 4_000, 500


def view(run: AgentRun) -> RunView:
    return RunView(**{name: getattr(run, name) for name in RunView.model_fields})


def with_steps(store: WorkspaceStore, run_id: str, *, html: bool = False) -> RunWithSteps:
    """A run with its steps and the tool calls below each, as of now; with `html` written texts as HTML too.

    Raises NotFound.
    """
    run = store.runs.get(run_id)
    steps = store.runs.steps(run_id)
    shown = {name: getattr(run, name) for name in RunView.model_fields}
    if not run.status.terminal:
        sums = totals(steps)
        shown |= {"total_tokens_in": sums.tokens_in, "total_tokens_out": sums.tokens_out, "cost_usd": sums.usd}
        shown["tool_calls"] = sums.calls
    text = _answer_so_far(store, run_id) if run.status is RunStatus.SYNTHESISING else ""
    whole = RunWithSteps(**shown, steps=tuple(_step(store, step) for step in steps), answer_text=text)
    return _rendered(whole) if html else whole


def _rendered(run: RunWithSteps) -> RunWithSteps:
    from shared.markdown import html

    steps = tuple(step.model_copy(update={"summary_html": html(step.summary)}) for step in run.steps)
    return run.model_copy(update={"steps": steps, "answer_html": html(run.answer_text)})


def _step(store: WorkspaceStore, step: RunStep) -> StepView:
    usage = step.usage
    shared = {name: getattr(step, name) for name in StepView.model_fields if name in RunStep.model_fields}
    return StepView(
        **shared,
        tokens_in=input_tokens(usage),
        tokens_out=output_tokens(usage),
        cost_usd=round(usd_of(usage), 6),
        steps=tuple(_calls(store, step)) if step.seq else (),
    )


def _calls(store: WorkspaceStore, step: RunStep) -> Iterator[StepView]:
    """The tool calls of a step, out of its own stream."""
    made: dict[tuple[int, int], Event] = {}
    answered: dict[tuple[int, int], Event] = {}
    for event in store.streams.all(paths.run_step(step.run_id, step.id)):
        if event.type in (EventType.TOOL_CALL, EventType.TOOL_RESULT):
            place = (int(event.data.get("iteration", 0)), int(event.data.get("index", 0)))
            (made if event.type == EventType.TOOL_CALL else answered)[place] = event
    for index, (place, call) in enumerate(made.items(), 1):
        yield _call(step, index, place, call, answered.get(place))


def _call(step: RunStep, index: int, place: tuple[int, int], call: Event, answer: Event | None) -> StepView:
    result = answer.data.get("result") if answer is not None else None
    failed = answer is not None and not answer.data.get("ok")
    ended = StepStatus.CANCELLED if step.status.terminal else StepStatus.RUNNING
    status = ended if answer is None else StepStatus.FAILED if failed else StepStatus.SUCCEEDED
    return StepView(
        id=derived("call", step.id, *map(str, place)),
        run_id=step.run_id,
        index=index,
        parent_step_id=step.id,
        kind=StepKind.TOOL_CALL,
        title=str(call.data.get("tool", "")),
        status=status,
        tool_name=str(call.data.get("tool", "")),
        tool_input=_capped(call.data.get("arguments")),
        tool_output=_capped(result),
        started_at=call.at,
        finished_at=answer.at if answer is not None else None,
        error=_error(result) if failed else None,
        attempt=1,
    )


def _capped(value: Any) -> dict[str, Any] | None:
    """At most _OUTPUT_BYTES of JSON, with a marker where something is missing."""
    if not isinstance(value, Mapping):
        return None
    plain = dict(value)
    if size(plain) <= _OUTPUT_BYTES:
        return plain
    shorter: dict[str, Any] = cut_texts(plain, _TEXT_BYTES)
    kept = {name: item[:5] if isinstance(item, list) else item for name, item in shorter.items()}
    return {**kept, "cut_bytes": size(plain)} if size(kept) <= _OUTPUT_BYTES else {"cut_bytes": size(plain)}


def _error(result: Any) -> Failure | None:
    error = result.get("error") if isinstance(result, Mapping) else None
    if not isinstance(error, Mapping):
        return None
    return Failure(code=str(error.get("code", "")), message=str(error.get("message", "")))


def _answer_so_far(store: WorkspaceStore, run_id: str) -> str:
    """The pieces of the newest draft."""
    draft, text = 0, ""
    for event in store.streams.all(paths.run(run_id)):
        if event.type == EventType.ANSWER_TEXT:
            number = int(event.data.get("attempt", 0))
            text = text if number == draft else ""
            draft, text = number, text + str(event.data.get("text", ""))
    return text
