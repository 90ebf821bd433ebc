"""How things stand, in a bounded number of reads: the focus, open contradictions, tasks that press, operations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.contracts.memory import Contradiction, ContradictionStatus, Focus, Record
from shared.contracts.operations import Operation, OperationStatus
from shared.contracts.tasks import Task
from shared.store.record_search import CURRENT
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore

CONTRADICTIONS, TASKS, OPERATIONS = 10, 20, 30
_AHEAD, _LATELY = timedelta(days=3), timedelta(days=2)


@dataclass(frozen=True)
class Disagreement:
    """An open contradiction with its two records."""

    contradiction: Contradiction
    records: tuple[Record, Record]


@dataclass(frozen=True)
class Situation:
    now: datetime
    focus: Focus | None
    disagreements: tuple[Disagreement, ...]
    tasks: tuple[Task, ...]
    running: tuple[Operation, ...]
    failed: tuple[Operation, ...]

    @property
    def empty(self) -> bool:
        return not (self.focus or self.disagreements or self.tasks or self.running or self.failed)

    @property
    def record_ids(self) -> tuple[str, ...]:
        """What of memory it rests on."""
        of_focus = self.focus.record_ids if self.focus is not None else ()
        return tuple(dict.fromkeys((*of_focus, *(one.id for each in self.disagreements for one in each.records))))


def gathered(store: WorkspaceStore, now: datetime) -> Situation:
    """Look at the workspace."""
    focus = store.focus.find()
    due = store.tasks.list(TasksWanted(TASKS, done=False, due_before=(now + _AHEAD).date())).tasks
    operations, _ = store.operations.list(limit=OPERATIONS)
    late = [one for one in operations if one.status is OperationStatus.FAILED and one.updated_at >= now - _LATELY]
    return Situation(
        now,
        focus if focus is not None and focus.title else None,
        _disagreements(store),
        due,
        tuple(one for one in operations if one.status is OperationStatus.RUNNING),
        tuple(late),
    )


def _disagreements(store: WorkspaceStore) -> tuple[Disagreement, ...]:
    found, _ = store.contradictions.list(limit=CONTRADICTIONS, status=ContradictionStatus.OPEN)
    records = store.record_search.several([one for each in found for one in each.record_ids])
    both = [(each, [records.get(one) for one in each.record_ids]) for each in found]
    return tuple(
        Disagreement(each, (first, second))
        for each, (first, second) in both
        if first is not None and second is not None and CURRENT.allows(first) and CURRENT.allows(second)
    )
