"""workspaces/{workspace}/memory_jobs: the queue of the brain. Each move of a job is one commit on its last state."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.contracts.jobs import BrainAgentRecord, JobStatus, MemoryJob
from shared.errors import NotFound
from shared.store import paths
from shared.store.brain_counts import Tally
from shared.store.changing import Change, Changing
from shared.store.database import Database, Filter, Query
from shared.store.documents import parsed, well_formed
from shared.store.errors import Contention, Malformed, Uncertain
from shared.store.pages import cursor_of, newest_first
from shared.store.streams import Append, EventDraft, Streams
from shared.store.writes import Snapshot, Write, create, delete, update

log = logging.getLogger(__name__)

_DUE: tuple[Filter, ...] = (("status", "==", JobStatus.PENDING.value), ("waiting_on", "==", 0))
_RUNNING: tuple[Filter, ...] = (("status", "==", JobStatus.RUNNING.value),)


@dataclass(frozen=True)
class HeldJob:
    """A job as read, with the times of its document and of the server."""

    job: MemoryJob
    update_time: datetime
    read_time: datetime


@dataclass(frozen=True)
class JobChange:
    """What one commit does: fields of the job to set, other documents to write, events of its agent."""

    fields: Mapping[str, Any]
    also: tuple[Write, ...] = ()
    events: tuple[EventDraft, ...] = field(default=())


@dataclass(frozen=True)
class JobChanged:
    """The job afterwards, and whether this call wrote it."""

    job: MemoryJob
    changed: bool


@dataclass(frozen=True)
class HeldKey:
    """Under which job an idempotency key is in flight; `job_id` "" is none."""

    found: Snapshot

    @property
    def job_id(self) -> str:
        return str((self.found.fields or {}).get("job_id", ""))

    def taking(self, job_id: str) -> Write:
        """The write that gives the key to a job, and fails if anyone wrote it since it was read."""
        fields = {"v": 1, "job_id": job_id}
        if self.found.fields is None:
            return create(self.found.path, fields)
        return update(self.found.path, fields, self.found.update_time)


DecideJob = Callable[[HeldJob], JobChange | None]


class MemoryJobs:
    def __init__(self, database: Database, streams: Streams, changing: Changing) -> None:
        self._database, self._streams, self._changing = database, streams, changing

    def read(self, job_id: str) -> HeldJob | None:
        """Raises Malformed."""
        return _held(self._database.get(paths.memory_job(job_id)))

    def get(self, job_id: str) -> MemoryJob:
        """Raises NotFound, Malformed."""
        return _there(self.read(job_id), job_id).job

    def several(self, job_ids: Sequence[str]) -> dict[str, MemoryJob]:
        """Those of them that are there, by id."""
        found = self._database.get_all([paths.memory_job(one) for one in job_ids]) if job_ids else []
        return {one.id: one for one in well_formed(MemoryJob, (each for each in found if each.fields is not None))}

    def list(
        self, *, status: str | None = None, kind: str | None = None, limit: int, cursor: str | None = None
    ) -> tuple[tuple[MemoryJob, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        wanted = (("status", status), ("kind", kind))
        filters = tuple((name, "==", value) for name, value in wanted if value is not None)
        found = self._database.query("memory_jobs", newest_first(filters, limit + 1, cursor))
        page = found[:limit]
        jobs = tuple(well_formed(MemoryJob, page))
        return jobs, cursor_of(page[-1].fields or {}, page[-1].id) if len(found) > limit else None

    def due(self, now: datetime, limit: int) -> Sequence[HeldJob]:
        """Jobs that wait for a worker alone, by priority, then by how long they are due.

        A document that is no job fails here, visibly: at the head of the queue it would hide what comes after it.
        """
        query = Query(
            limit, (*_DUE, ("run_after", "<=", now)), (("priority", "DESCENDING"), ("run_after", "ASCENDING"))
        )
        return tuple(self._well_formed(self._database.query("memory_jobs", query)))

    def next_due(self) -> datetime | None:
        """When the next job that waits for its time alone is due, or was; None without any."""
        query = Query(1, _DUE, (("run_after", "ASCENDING"),), fields=("run_after",))
        return _moment(self._database.query("memory_jobs", query), "run_after")

    def lost(self, now: datetime, limit: int) -> Sequence[HeldJob]:
        """Running jobs whose worker was not heard of in time, by the clock of the caller and by the server's."""
        query = Query(limit, (*_RUNNING, ("locked_until", "<=", now)), (("locked_until", "ASCENDING"),))
        found = self._well_formed(self._database.query("memory_jobs", query))
        return tuple(one for one in found if one.job.locked_until is not None and one.job.locked_until <= one.read_time)

    def next_lost(self) -> datetime | None:
        """When the first of the running jobs is taken for lost."""
        query = Query(1, _RUNNING, (("locked_until", "ASCENDING"),), fields=("locked_until",))
        return _moment(self._database.query("memory_jobs", query), "locked_until")

    def key(self, kind: str, key: str) -> HeldKey:
        """The key of an agent's jobs, and whose it is."""
        return HeldKey(self._database.get(paths.job_key(kind, key)))

    def claim(self, held: HeldJob, change: JobChange) -> bool:
        """Commit the change if nobody wrote the job since it was read; whether it was applied. Raises Transient.

        One commit, without a read: of those who want the same job all but one go on to another at once.
        """
        path = paths.memory_job(held.job.id)
        try:
            self._database.commit((update(path, change.fields, held.update_time), *change.also), "brain.claim")
        except (Contention, NotFound):
            return False
        except Uncertain:
            fields = self._database.get(path).fields or {}
            return bool(fields.get("worker") == change.fields["worker"] and fields.get("status") == "running")
        return True

    def create(self, job: MemoryJob, also: Callable[[], tuple[Write, ...] | None], *, point: str) -> JobChanged | None:
        """Make the job together with what `also` answers, or leave it where that is None; one of that id stays.

        `also` is asked again whenever another writer was faster. Raises Malformed, and Transient when it did not get
        through.
        """
        path = paths.memory_job(job.id)

        def decided(current: Snapshot) -> Change | None:
            if current.fields is not None:
                return None
            writes = also()
            return None if writes is None else Change(job.model_dump(), writes)

        changed = self._changing.change(path, decided, point=point)
        if changed.fields is None:
            return None
        return JobChanged(parsed(MemoryJob, changed.fields, path), changed.changed)

    def change(self, job_id: str, decide: DecideJob, *, point: str, stream: str | None = None) -> JobChanged:
        """Commit what `decide` answers to the job's state of this moment; None writes nothing.

        It is asked again whenever another writer was faster, and what it raises ends the change. With `stream`, an
        agent, the change has events, which go to that agent's stream in the same commit. Raises NotFound, Malformed,
        and Transient when it did not get through.
        """
        if stream is not None:
            return self._change_with_events(job_id, decide, point, stream)
        path = paths.memory_job(job_id)

        def decided(current: Snapshot) -> Change | None:
            change = decide(_there(_held(current), job_id))
            return None if change is None else Change(change.fields, change.also)

        changed = self._changing.change(path, decided, point=point)
        return JobChanged(parsed(MemoryJob, changed.fields or {}, path), changed.changed)

    def _change_with_events(self, job_id: str, decide: DecideJob, point: str, agent: str) -> JobChanged:
        seen: list[tuple[HeldJob, JobChange | None]] = []

        def decided(current: Snapshot) -> Append | None:
            held = _there(self.read(job_id), job_id)
            change = decide(held)
            seen[:] = [(held, change)]
            if change is None:
                return None
            owner = {} if current.fields is not None else BrainAgentRecord(id=agent).model_dump(exclude={"seq"})
            mine = update(paths.memory_job(job_id), change.fields, held.update_time)
            return Append(owner, change.events, (mine, *change.also))

        appended = self._streams.append(paths.brain_agent(agent), decided, point=point, create=True)
        held, change = seen[-1]
        fields = {**held.job.model_dump(), **(change.fields if change is not None else {})}
        return JobChanged(parsed(MemoryJob, fields, paths.memory_job(job_id)), appended.changed)

    def _well_formed(self, found: Iterable[Snapshot]) -> Iterable[HeldJob]:
        for one in found:
            try:
                held = _held(one)
            except Malformed as error:
                self._condemn(one, error)
                continue
            if held is not None:
                yield held

    def _condemn(self, found: Snapshot, error: Malformed) -> None:
        """It is out of the queue from then on; who deletes it or puts it right finds why."""
        log.error("taken out of the queue: %s", error.message)
        fields = found.fields or {}
        change = {"status": JobStatus.FAILED.value, "error": {"code": error.code, "message": error.message}}
        writes = [update(found.path, change, found.update_time)]
        before = JobStatus(fields["status"])
        if isinstance(fields.get("kind"), str) and fields["kind"]:
            writes.append(Tally(found.id).moved(fields["kind"], before, JobStatus.FAILED).write())
        try:
            self._database.commit(writes, "brain.condemn")
        except (Contention, Uncertain, NotFound):
            return  # whoever looks next does it


def releasing(job: MemoryJob) -> tuple[Write, ...]:
    """The writes that give the job's key back; they belong into the commit that ends it."""
    return (delete(paths.job_key(job.kind, job.idempotency_key)),) if job.idempotency_key else ()


def _there(held: HeldJob | None, job_id: str) -> HeldJob:
    if held is None:
        raise NotFound(f"There is no job {job_id}.")
    return held


def _held(found: Snapshot) -> HeldJob | None:
    if found.fields is None or found.update_time is None:
        return None
    fields = {**found.fields, "id": found.id}
    return HeldJob(parsed(MemoryJob, fields, found.path), found.update_time, found.read_time)


def _moment(found: Iterable[Snapshot], name: str) -> datetime | None:
    values = [(one.fields or {}).get(name) for one in found]
    return next((value for value in values if isinstance(value, datetime)), None)
