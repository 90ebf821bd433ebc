"""Writes what can be written from the code: docs/contracts/, settings.md, access.md, .env.example. `make docs`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel

from infra.docs_access import access
from infra.docs_brain import with_agents
from shared.config import documentation, example
from shared.contracts import (
    approvals,
    archive,
    brain_api,
    brain_drain,
    chat,
    errors,
    events,
    identity,
    jobs,
    manifest,
    members,
    memory,
    note_files,
    note_index,
    notes,
    operations,
    plans,
    portability,
    recall,
    research,
    routines,
    run_calls,
    runs,
    sessions,
    tasks,
    trash,
    usage,
    workspace_deletions,
    workspaces,
    workspaces_api,
)

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ".env.example"

STORED: Mapping[str, type[BaseModel]] = {
    "workspaces/{workspace}/notes/{note}": notes.Note,
    "workspaces/{workspace}/notes/{note}/parts/{n}": notes.NotePart,
    "workspaces/{workspace}/trash/{note}": trash.TrashedNote,
    "workspaces/{workspace}/operations/{operation}": operations.Operation,
    "workspaces/{workspace}/{notes or operations}/{owner}/events/{seq}": events.Event,
    "workspaces/{workspace}/leases/research-{note}": operations.ResearchClaim,
    "workspaces/{workspace}/leases/routine-{kind}-{period}": routines.RoutineLease,
    "workspaces/{workspace}/chat_sessions/{session}": chat.ChatSession,
    "workspaces/{workspace}/chat_sessions/{session}/turns/{turn}": chat.Turn,
    "workspaces/{workspace}/chat_sessions/{session}/turns/{turn}/answers/{n}": chat.ModelAnswer,
    "workspaces/{workspace}/chat_sessions/{session}/drafts/{turn}": chat.Draft,
    "the `data` of a chat session's checkpoint, in any session store": sessions.ChatCheckpoint,
    "workspaces/{workspace}/agent_runs/{run}": runs.AgentRun,
    "workspaces/{workspace}/agent_runs/{run}/steps/{step}": runs.RunStep,
    "workspaces/{workspace}/note_index/{note}": note_index.NoteIndex,
    "workspaces/{workspace}/tasks/{task}": tasks.Task,
    "workspaces/{workspace}/approvals/{approval}": approvals.Approval,
    "workspaces/{workspace}/memory_jobs/{job}": jobs.MemoryJob,
    "workspaces/{workspace}/brain_counts/{n}": jobs.CountShard,
    "workspaces/{workspace}/brain/{agent}": jobs.BrainAgentRecord,
    "workspaces/{workspace}/blackboard/{item}": memory.BlackboardItem,
    "workspaces/{workspace}/records/{record}": memory.Record,
    "workspaces/{workspace}/contradictions/{contradiction}": memory.Contradiction,
    "workspaces/{workspace}/nodes/{node}": memory.Node,
    "workspaces/{workspace}/edges/{edge}": memory.Edge,
    "workspaces/{workspace}/focus/current": memory.Focus,
    "workspaces/{workspace}/identity/current": memory.Identity,
    "workspaces/{workspace}/topics/{topic}": memory.Topic,
    "workspaces/{workspace}/documents/{document}/summaries/{level}-{n}": memory.TreeSummary,
    "workspaces/{workspace}/leases/brain-drain": brain_drain.DrainLease,
    "workspaces/{workspace}": workspaces.Workspace,
    "workspaces/{workspace}/members/{derived from the email}": members.Member,
    "workspaces/{workspace}/usage/{yyyy-mm}/shards/{n}": usage.UsageShard,
    "workspaces/{workspace}/leases/spending": usage.Spending,
    "workspaces/{workspace}/leases/import": portability.ImportRecord,
    "sweeps/{name}": operations.SweepPosition,
    "workspace_deletions/{workspace}": workspace_deletions.WorkspaceDeletion,
}
API: Mapping[str, type[BaseModel]] = {
    "POST /api/v1/notes, request": notes.NoteCreate,
    "PATCH /api/v1/notes/{note}, request": notes.NotePatch,
    "one note, as it is written": notes.NoteAnswer,
    "GET /api/v1/notes/{note}": notes.NoteReadAnswer,
    "GET /api/v1/notes": notes.NotesAnswer,
    "GET /api/v1/trash": trash.TrashAnswer,
    "GET /api/v1/feed": notes.FeedAnswer,
    "GET /api/v1/operations/{operation}": operations.OperationAnswer,
    "GET /api/v1/operations": operations.OperationsAnswer,
    "POST /api/v1/operations/{operation}/cancel": operations.CancelAnswer,
    "POST /api/v1/notes/{note}/research, request": plans.ResearchAsk,
    "PATCH /api/v1/operations/{operation}/plan, request": plans.PlanEdit,
    "POST /api/v1/operations/{operation}/plan, request": plans.PlanChange,
    "POST /api/v1/operations/{operation}/approve, request": plans.PlanApproval,
    "POST /api/v1/operations/{operation}/approve": operations.PlanAnswer,
    "GET /api/v1/operations/{operation}/events as JSON": events.EventsAnswer,
    "POST /api/v1/chat/sessions, request": chat.SessionCreate,
    "PATCH /api/v1/chat/sessions/{session}, request": chat.SessionPatch,
    "one session": chat.SessionAnswer,
    "GET /api/v1/chat/sessions": chat.SessionsAnswer,
    "GET /api/v1/chat/sessions/{session}": chat.SessionTraceAnswer,
    "POST /api/v1/chat/sessions/{session}/messages, request": chat.MessageCreate,
    "event: delta of a session's stream": chat.TextPiece,
    "event: draft of a session's stream": chat.TextSoFar,
    "event: block of a session's stream": chat.TextBlock,
    "event: done of a session's stream, and a message's answer as JSON": chat.TurnDone,
    "POST /api/v1/chat/sessions/{session}/cancel": chat.TurnCancelAnswer,
    "GET /api/v1/chat/checkpoints": sessions.CheckpointsAnswer,
    "GET /api/v1/chat/checkpoints/{session}": sessions.CheckpointAnswer,
    "POST /api/v1/agent_runs, request": runs.RunCreate,
    "one run, as it is begun": runs.RunAnswer,
    "GET /api/v1/agent_runs": runs.RunsAnswer,
    "GET /api/v1/agent_runs/{run}": runs.RunStepsAnswer,
    "POST /api/v1/agent_runs/{run}/cancel": runs.RunCancelAnswer,
    "GET /api/v1/search": note_index.SearchAnswer,
    "POST /api/v1/tasks, request": tasks.TaskCreate,
    "PATCH /api/v1/tasks/{task}, request": tasks.TaskPatch,
    "one task": tasks.TaskAnswer,
    "GET /api/v1/tasks": tasks.TasksAnswer,
    "what the tool create_tasks takes": tasks.TasksCreate,
    "PATCH /api/v1/approvals/{approval}, request": approvals.ApprovalEdit,
    "POST /api/v1/approvals/{approval}/approve, request": approvals.ApprovalSeen,
    "one approval, and POST /api/v1/approvals/{approval}/approve or /reject": approvals.ApprovalAnswer,
    "GET /api/v1/approvals": approvals.ApprovalsAnswer,
    "POST /api/v1/routines/{digest or review}/run": routines.RoutineRunAnswer,
    "GET /api/v1/usage": usage.UsageAnswer,
    "GET /api/v1/me": identity.MeAnswer,
    "GET /api/v1/export": portability.ExportAnswer,
    "GET /api/v1/export/documents/{collection}": portability.ExportPage,
    "GET /api/v1/export/objects": portability.ObjectsPage,
    "POST /api/v1/import, request": portability.ImportBegin,
    "POST /api/v1/import": portability.ImportAnswer,
    "POST /api/v1/import/documents, request": portability.ImportDocuments,
    "POST /api/v1/import/objects, request": portability.ImportObjects,
    "POST /api/v1/import/documents and /objects": portability.ImportResults,
    "POST /api/v1/import/end, request": portability.ImportEnd,
    "POST /api/v1/notes/import, request": note_files.NoteFiles,
    "POST /api/v1/notes/import": note_files.NoteFilesAnswer,
    "POST /api/v1/workspaces, request": workspaces_api.WorkspaceCreate,
    "one workspace: POST /api/v1/workspaces, GET /api/v1/workspace, POST …/restore": workspaces_api.WorkspaceAnswer,
    "GET /api/v1/workspaces": workspaces_api.WorkspacesAnswer,
    "DELETE /api/v1/workspace, request": workspace_deletions.DeletionCreate,
    "DELETE /api/v1/workspace": workspace_deletions.DeletionAnswer,
    "GET /api/v1/workspace/members": members.MembersAnswer,
    "PUT /api/v1/workspace/members/{email}, request": members.MemberPut,
    "PUT /api/v1/workspace/members/{email}": members.MemberAnswer,
    "GET /api/v1/brain/agents": brain_api.AgentsAnswer,
    "POST /api/v1/brain/agents/{agent}/run, request": brain_api.JobCreate,
    "one job of the brain": brain_api.JobAnswer,
    "GET /api/v1/brain/jobs": brain_api.JobsAnswer,
    "POST /api/v1/brain/jobs/{job}/retry and /cancel": brain_api.JobChangeAnswer,
    "GET /api/v1/brain/records": brain_api.RecordsAnswer,
    "one record, and POST …/retract or /restore": brain_api.RecordAnswer,
    "PATCH /api/v1/brain/records/{record}, request": brain_api.RecordPatch,
    "GET /api/v1/brain/records/{record}/why": brain_api.WhyAnswer,
    "GET /api/v1/brain/blackboard": brain_api.BlackboardAnswer,
    "GET /api/v1/brain/contradictions": brain_api.ContradictionsAnswer,
    "POST /api/v1/brain/contradictions/{contradiction}/settle, request": brain_api.Settle,
    "POST /api/v1/brain/contradictions/{contradiction}/settle": brain_api.ContradictionAnswer,
    "GET /api/v1/brain/graph": brain_api.GraphAnswer,
    "GET /api/v1/brain/focus": brain_api.FocusAnswer,
    "what recall answers to chat and agents": recall.RecallAnswer,
    "an event on its way: SSE, Pub/Sub topic trace-events": events.Envelope,
    "every refusal": errors.ErrorAnswer,
}
WORK: Mapping[str, type[BaseModel]] = {
    "argument of workflows/research.yaml": research.ResearchArgument,
    "POST research/start, request": research.StartRequest,
    "POST research/start, answer": research.StartAnswer,
    "POST research/listen, request; it is answered as poll": research.ListenRequest,
    "POST research/poll, request": research.PollRequest,
    "POST research/poll, answer": research.PollAnswer,
    "POST research/fail, request": research.FailRequest,
    "POST research/fail, answer": research.FailAnswer,
    "argument of workflows/workspace_deletion.yaml": workspace_deletions.DeletionArgument,
    "POST workspace-deletion/start, request": workspace_deletions.DeletionStartRequest,
    "POST workspace-deletion/step, request": workspace_deletions.DeletionStepRequest,
    "POST workspace-deletion/fail, request": workspace_deletions.DeletionFailRequest,
    "POST workspace-deletion/start, step and fail, answer": workspace_deletions.DeletionStepAnswer,
    "argument of workflows/turn.yaml": chat.TurnArgument,
    "POST turn/carry_on, request": chat.CarryOnRequest,
    "POST turn/carry_on, answer": chat.CarryOnAnswer,
    "argument of workflows/brain.yaml": brain_drain.DrainArgument,
    "POST brain/start, request": brain_drain.DrainStartRequest,
    "POST brain/start": brain_drain.DrainStartAnswer,
    "POST brain/run and brain/next, request": brain_drain.DrainRequest,
    "POST brain/run": brain_drain.DrainLaneAnswer,
    "POST brain/next and brain/fail": brain_drain.DrainAnswer,
    "POST brain/fail, request": brain_drain.DrainFailRequest,
    "argument of workflows/agent_run.yaml": run_calls.RunArgument,
    "POST agent/plan, request": run_calls.PlanRequest,
    "POST agent/step, agent/checkpoint and agent/synthesise, request": run_calls.WorkRequest,
    "POST agent/fail, request": run_calls.RunFailRequest,
    "POST agent/plan, agent/checkpoint, agent/synthesise and agent/fail, answer": run_calls.PhaseAnswer,
    "POST agent/step, answer": run_calls.LaneAnswer,
    "what the planning model answers": run_calls.PlanDraft,
    "POST routine, request": routines.RoutineRequest,
    "POST routine, answer": routines.RoutinesAnswer,
    "POST compact-traces, request": archive.CompactRequest,
    "POST compact-traces, answer": archive.CompactAnswer,
    "POST reconcile, request": research.SweepRequest,
    "POST reconcile, answer": research.SweepAnswer,
    "functions/manifest.yaml": manifest.Manifest,
}
SECTIONS: Mapping[str, Mapping[str, type[BaseModel]]] = {
    "Stored documents": STORED,
    "The API, and events": API,
    "Workflows and functions": WORK,
}


def generated() -> dict[str, str]:
    """Every generated file: its path below docs/ and its content."""
    models = {model.__name__: model for section in SECTIONS.values() for model in section.values()}
    files = {f"contracts/{name}.json": _schema(model) for name, model in models.items()}
    files["contracts/README.md"] = "\n".join(_index())
    files["brain.md"] = with_agents((ROOT / "docs" / "brain.md").read_text(encoding="utf-8"))
    files["access.md"] = access(_ORIGIN)
    files["settings.md"] = f"# Settings of the functions\n\n{_ORIGIN}\n\n{documentation()}"
    return files


_ORIGIN = "Written by `make docs` from the code; a test fails when it is stale."


def _index() -> Iterator[str]:
    yield f"# Contracts\n\nJSON Schemas of everything that crosses a border. {_ORIGIN}\n"
    for title, section in SECTIONS.items():
        yield f"## {title}\n\n| where | shape | what it is |\n|---|---|---|"
        for place, model in section.items():
            yield f"| `{place}` | [{model.__name__}]({model.__name__}.json) | {_summary(model)} |"
        yield ""


def _summary(model: type[BaseModel]) -> str:
    text = " ".join((model.__doc__ or "").split())
    return text.replace("|", "\\|")


def _schema(model: type[BaseModel]) -> str:
    return json.dumps(model.model_json_schema(mode="serialization"), indent=2, sort_keys=True) + "\n"


def stale(docs: Path) -> list[str]:
    """What below docs/ differs from what would be written now, or is generated no more."""
    files = generated()
    differing = [name for name, text in files.items() if not _is(docs / name, text)]
    left_over = [path.name for path in (docs / "contracts").glob("*.json") if f"contracts/{path.name}" not in files]
    return sorted(differing + left_over)


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(docs: Path) -> None:
    """Write all files, and remove schemas that are generated no more."""
    files = generated()
    (docs / "contracts").mkdir(parents=True, exist_ok=True)
    for path in (docs / "contracts").glob("*.json"):
        if f"contracts/{path.name}" not in files:
            path.unlink()
    for name, text in files.items():
        (docs / name).write_text(text, encoding="utf-8")


def example_file() -> str:
    """The content of .env.example."""
    return f"# Settings of the functions. {_ORIGIN}\n# Copy it to .env and set what you need.\n\n{example()}"


if __name__ == "__main__":
    write(ROOT / "docs")
    (ROOT / EXAMPLE).write_text(example_file(), encoding="utf-8")
