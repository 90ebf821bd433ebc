"""What happened in a period, bounded: notes, finished research, tasks, and what waits for a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.contracts.approvals import Approval, ApprovalStatus
from shared.contracts.notes import Note, NoteKind
from shared.contracts.operations import DEEP_RESEARCH, Operation
from shared.contracts.tasks import Task
from shared.routines.periods import Period
from shared.store.notes import NotesWanted
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore

NOTES, NOTES_READ = 60, 200
OPERATIONS, TASKS, APPROVALS = 50, 50, 20
_AHEAD = {"digest": timedelta(days=2), "review": timedelta(days=8)}
_OWN = (NoteKind.DIGEST, NoteKind.REVIEW)


@dataclass(frozen=True)
class Material:
    """What a routine tells of. `more_notes` says that there were more than are here."""

    period: Period
    notes: tuple[Note, ...]
    more_notes: bool
    research: tuple[Operation, ...]
    due: tuple[Task, ...]
    done: tuple[Task, ...]
    waiting: tuple[Approval, ...]

    @property
    def empty(self) -> bool:
        """Nothing happened, and nothing comes due: what waits, or was due long ago, is no reason to write each day."""
        coming = any(task.due is not None and task.due >= self.period.since.date() for task in self.due)
        return not (self.notes or self.research or self.done or coming)

    @property
    def newest(self) -> datetime:
        """The last moment something in it changed; what waits may be this routine's own."""
        moments = [note.updated_at for note in self.notes]
        moments += [operation.updated_at for operation in self.research]
        moments += [task.updated_at for task in (*self.done, *self.due)]
        return max(moments, default=self.period.since)


def gathered(store: WorkspaceStore, period: Period) -> Material:
    """Look at the workspace. A few hundred documents are read at most."""
    notes, more = _notes(store, period)
    operations, _ = store.operations.list(kind=DEEP_RESEARCH, limit=OPERATIONS)
    ahead = (period.until + _AHEAD[period.kind.value]).date()
    due = store.tasks.list(TasksWanted(TASKS, done=False, due_before=ahead)).tasks
    known = tuple(task for task in due if task.created_at < period.until)
    done = store.tasks.list(TasksWanted(TASKS, done=True)).tasks
    waiting, _ = store.approvals.list(status=ApprovalStatus.PENDING.value, limit=APPROVALS)
    return Material(
        period,
        tuple(notes[:NOTES]),
        more or len(notes) > NOTES,
        tuple(each for each in operations if period.holds(each.finished_at)),
        known,
        tuple(task for task in done if period.holds(task.done_at)),
        waiting,
    )


def _notes(store: WorkspaceStore, period: Period) -> tuple[list[Note], bool]:
    found: list[Note] = []
    cursor: str | None = None
    for _ in range(NOTES_READ // 50):
        page = store.notes.list(NotesWanted(50, cursor=cursor))
        found += [note for note in page.notes if period.holds(note.created_at) and note.kind not in _OWN]
        older = bool(page.notes) and page.notes[-1].created_at < period.since
        if page.next_cursor is None or older:
            return found, False
        cursor = page.next_cursor
    return found, True
