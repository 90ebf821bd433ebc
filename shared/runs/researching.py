"""Research by an agent run instead of Deep Research: the same calls, so that all that research does stays as it is.

What Deep Research calls an interaction is a run here. Creating one is idempotent: the same operation has one run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shared.contracts.events import Event, EventType
from shared.contracts.limits import GOAL_CHARACTERS
from shared.contracts.runs import AgentRun, NumberedSource, RunStatus, RunStep, StepKind
from shared.contracts.sources import Source
from shared.errors import InputError, NotFound
from shared.gateway.interactions import Interaction, InteractionError
from shared.ids import derived
from shared.links import document_url, note_url
from shared.runs.beginning import Wanted
from shared.runs.budgets import work
from shared.runs.citations import IDS, split_ids, table_of
from shared.store import paths
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.runs.service import Runs

_SEPARATOR = "."
_STATUS = {
    RunStatus.SUCCEEDED: "completed",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELLED: "cancelled",
}
_TOLD = frozenset({EventType.STEP_STARTED, EventType.STEP_COMPLETED, EventType.STEP_FAILED})


class AgentEngine:
    """`shared.research.ports.InteractionsPort` over runs. An interaction's id is the workspace, a dot, the run's id."""

    def __init__(self, runs: Callable[[], Runs], store: Callable[[str], WorkspaceStore]) -> None:
        self._runs, self._store = runs, store

    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str:
        """Begin the operation's run, or find it begun. Raises what Runs.begin raises."""
        workspace, operation_id = str(body["workspace"]), str(body["operation_id"])
        goal = str(body["goal"])[:GOAL_CHARACTERS].strip()
        wanted = Wanted(goal, user=f"operations/{operation_id}", operation_id=operation_id)
        run, _created = self._runs().begin(workspace, wanted, key=derived("research", operation_id))
        return f"{workspace}{_SEPARATOR}{run.id}"

    def get(self, interaction_id: str) -> Interaction:
        """The run as an interaction. Raises InteractionError 404 where there is none, and Transient."""
        workspace, run_id = _split(interaction_id)
        try:
            store = self._store(workspace)
            run = store.runs.get(run_id)
        except (NotFound, InputError) as error:
            raise InteractionError("http_404", error.message, sent=True, http_status=404) from error
        steps = store.runs.steps(run_id)
        told = [_thought(event) for event in store.streams.all(paths.run(run_id)) if _is_told(event)]
        return Interaction(
            id=interaction_id,
            status=_STATUS.get(run.status, "in_progress"),
            steps=[*told, *_output(run, steps, _topic(store, run))],
            errors=[(run.error.code, run.error.message)] if run.error is not None else [],
            usage=_usage(run),
        )

    def cancel(self, interaction_id: str) -> None:
        """End the run; one that has ended needs none. Raises InteractionError 404 without a run, and Transient."""
        workspace, run_id = _split(interaction_id)
        try:
            self._runs().cancel(workspace, run_id)
        except (NotFound, InputError) as error:
            raise InteractionError("http_404", error.message, sent=True, http_status=404) from error


def _usage(run: AgentRun) -> dict[str, Any]:
    """As the service counts; what cheaper models took less goes with it."""
    return {
        "total_input_tokens": run.total_tokens_in,
        "total_output_tokens": run.total_tokens_out,
        "grounding_tool_count": [{"type": "google_search", "count": run.usage.searches}],
        "discount_micros": run.usage.discount_micros,
    }


def _split(interaction_id: str) -> tuple[str, str]:
    workspace, _, run_id = interaction_id.partition(_SEPARATOR)
    return workspace, run_id or "-"


def _is_told(event: Event) -> bool:
    inner = event.data.get("kind") in (StepKind.PLAN.value, StepKind.SYNTHESIS.value)
    return event.type == EventType.PLAN_READY or (event.type in _TOLD and not inner)


def _thought(event: Event) -> dict[str, Any]:
    """A frame as the service tells what it thinks."""
    data = event.data
    if event.type == EventType.PLAN_READY:
        text = "The plan: " + "; ".join(str(step.get("title")) for step in data.get("steps", ()))
    else:
        said = data.get("message") or data.get("summary") or ""
        what = {EventType.STEP_STARTED: "Begun", EventType.STEP_COMPLETED: "Done"}.get(event.type, "Failed")
        text = f"{what}: {data.get('title')}" + (f". {said}" if said else "")
    return {"type": "thought", "summary": [{"type": "text", "text": text}]}


def _topic(store: WorkspaceStore, run: AgentRun) -> str:
    """The note that is researched: it asks, and is no source."""
    operation = store.operations.find(run.operation_id) if run.operation_id is not None else None
    return operation.source_note_id if operation is not None else ""


def _output(run: AgentRun, steps: Sequence[RunStep], topic: str) -> list[dict[str, Any]]:
    """What there is of an answer, once the run has ended: its text, each source as an annotation at its place."""
    if not run.status.terminal:
        return []
    whole = next((step.summary for step in steps if step.kind is StepKind.SYNTHESIS and step.summary), "")
    text = whole or "\n\n".join(step.summary for step in work(steps) if step.summary)
    table = {name: one for name, one in table_of(work(steps)).items() if one.source.note_id != topic or not topic}
    return [{"type": "model_output", "content": [_annotated(text, table)]}] if text else []


def _annotated(text: str, table: Mapping[str, NumberedSource]) -> dict[str, Any]:
    plain, annotations, cursor = "", list[dict[str, Any]](), 0
    for match in IDS.finditer(text):
        plain += text[cursor : match.start()]
        cursor = match.end()
        at = len(plain.encode())
        known = [table[name].source for name in split_ids(match[1]) if name in table]
        annotations += [_annotation(source, at) for source in known]
    return {"type": "text", "text": plain + text[cursor:], "annotations": annotations}


def _annotation(source: Source, at: int) -> dict[str, Any]:
    return {"type": "url_citation", "url": _url(source), "title": source.title, "start_index": at, "end_index": at}


def _url(source: Source) -> str | None:
    if source.document_id is not None:
        return document_url(source.document_id, source.page)
    return note_url(source.note_id) if source.note_id is not None else source.url
