"""Paths of documents below a workspace. An id never adds or leaves a level."""

from __future__ import annotations

from shared.errors import InputError
from shared.ids import derived

EVENT_DIGITS = 8


def segment(name: str) -> str:
    """`name` if it is one path segment that Firestore takes. Raises InputError otherwise."""
    if not is_segment(name):
        raise InputError("An id is 1 to 1500 bytes without a slash.", field="id")
    return name


def is_segment(name: str) -> bool:
    """Whether Firestore takes `name` as an id: text of 1 to 1500 bytes, not of the reserved form __x__, no dots alone.

    Firestore would take a NUL too; here it is refused.
    """
    try:
        size = len(name.encode())
    except UnicodeEncodeError:  # a lone surrogate is no text
        return False
    reserved = name in {"", ".", ".."} or (name.startswith("__") and name.endswith("__"))
    return not reserved and "/" not in name and "\x00" not in name and size <= 1500


def note(note_id: str) -> str:
    return f"notes/{segment(note_id)}"


def part(note_id: str, n: int) -> str:
    return f"{note(note_id)}/parts/{n}"


def trashed(note_id: str) -> str:
    return f"trash/{segment(note_id)}"


def operation(operation_id: str) -> str:
    return f"operations/{segment(operation_id)}"


def document(document_id: str) -> str:
    return f"documents/{segment(document_id)}"


def chunk(document_id: str, n: int) -> str:
    return f"{document(document_id)}/chunks/{n:06d}"


def chunk_index(document_id: str, n: int) -> str:
    return f"chunk_index/{segment(f'{document_id}-{n:06d}')}"


def session(session_id: str) -> str:
    return f"chat_sessions/{segment(session_id)}"


def turn(session_id: str, turn_id: str) -> str:
    return f"{session(session_id)}/turns/{segment(turn_id)}"


def answer(session_id: str, turn_id: str, n: int) -> str:
    return f"{turn(session_id, turn_id)}/answers/{n:04d}"


def draft(session_id: str, turn_id: str) -> str:
    return f"{session(session_id)}/drafts/{segment(turn_id)}"


def run(run_id: str) -> str:
    return f"agent_runs/{segment(run_id)}"


def run_step(run_id: str, step_id: str) -> str:
    return f"{run(run_id)}/steps/{segment(step_id)}"


def step_answer(run_id: str, step_id: str, n: int) -> str:
    return f"{run_step(run_id, step_id)}/answers/{n:04d}"


def brain_agent(agent_id: str) -> str:
    return f"brain/{segment(agent_id)}"


def blackboard_item(item_id: str) -> str:
    return f"blackboard/{segment(item_id)}"


def contradiction(contradiction_id: str) -> str:
    return f"contradictions/{segment(contradiction_id)}"


def record(record_id: str) -> str:
    return f"records/{segment(record_id)}"


def node(node_id: str) -> str:
    return f"nodes/{segment(node_id)}"


def edge(edge_id: str) -> str:
    return f"edges/{segment(edge_id)}"


def topic(topic_id: str) -> str:
    return f"topics/{segment(topic_id)}"


def focus() -> str:
    return "focus/current"


def identity() -> str:
    return "identity/current"


def tree_summary(document_id: str, level: int, n: int) -> str:
    return f"{document(document_id)}/summaries/{level}-{n:06d}"


def note_index(note_id: str) -> str:
    return f"note_index/{segment(note_id)}"


def member(email: str) -> str:
    return f"members/{derived('member', email)}"


def task(task_id: str) -> str:
    return f"tasks/{segment(task_id)}"


def approval(approval_id: str) -> str:
    return f"approvals/{segment(approval_id)}"


def effect(key: str) -> str:
    return f"effects/{segment(key)}"


def usage_shard(month: str, n: int) -> str:
    return f"usage/{segment(month)}/shards/{n}"


def spending() -> str:
    return "leases/spending"


def claim(note_id: str) -> str:
    name = f"research-{segment(note_id)}"
    # The few ids that leave no room for the prefix are named by their digest.
    return f"leases/{name if is_segment(name) else derived('research', note_id)}"


def memory_job(job_id: str) -> str:
    return f"memory_jobs/{segment(job_id)}"


def job_key(agent: str, key: str) -> str:
    """Which job of an agent is in flight under a key."""
    return f"leases/{derived('job', agent, key)}"


def brain_counts(n: int) -> str:
    return f"brain_counts/{n}"


def brain_drain() -> str:
    return "leases/brain-drain"


def routine_lease(kind: str, period: str) -> str:
    return f"leases/{segment(f'routine-{kind}-{period}')}"


def workspace(name: str) -> str:
    """At the top, for whoever sees all workspaces."""
    return f"workspaces/{segment(name)}"


def workspace_deletion(workspace: str) -> str:
    """At the top: everything below the workspace goes."""
    return f"workspace_deletions/{segment(workspace)}"


def event(parent: str, seq: int) -> str:
    return f"{parent}/events/{seq:0{EVENT_DIGITS}d}"
