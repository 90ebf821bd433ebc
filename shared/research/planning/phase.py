"""Where an operation stands with its plan, and of which note a plan was made."""

from __future__ import annotations

import hashlib

from shared.contracts.notes import Note
from shared.contracts.operations import Operation


def makes_plan(operation: Operation) -> bool:
    """Whether what runs next for the operation is a plan, not the report."""
    return operation.plan_first and (operation.plan is None or operation.plan.approved_at is None)


def plan_hold(operation_id: str) -> str:
    """Under which name it is set aside what planning may cost; the run's own is the operation's id."""
    return f"{operation_id}-plan"


def digest_of(note: Note) -> str:
    """Of what a plan is made for: title and whole body. Tags do not matter."""
    return hashlib.sha256(f"{note.title}\0{note.body}".encode(errors="replace")).hexdigest()[:32]
