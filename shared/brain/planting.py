"""The jobs that a finished job leaves behind: a batch whose members wait for each other, and what follows by itself.

All of them are made in the commit that ends the job, so they are there exactly when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from shared.brain.agent import BrainAgent, NewJob, Outcome
from shared.brain.enqueueing import in_flight
from shared.brain.making import Made, creating, job_of, known
from shared.brain.ports import Ports
from shared.contracts.jobs import JOB_CHILDREN, MemoryJob
from shared.errors import InputError
from shared.ids import derived
from shared.store import paths
from shared.store.brain_counts import Tally
from shared.store.memory_jobs import HeldJob, MemoryJobs
from shared.store.writes import Write, update


@dataclass
class Planted:
    """What goes into the commit. `keeps_key`: the job's own key passes to one of the new ones."""

    writes: list[Write] = field(default_factory=list)
    keeps_key: bool = False


def parents_in(agents: Mapping[str, BrainAgent], kind: str, batch: frozenset[str]) -> frozenset[str]:
    """The agents of the batch that one of it waits for: those it depends on, or through agents that are not in it."""
    found: set[str] = set()
    seen, open_ends = {kind}, list(known(agents, kind).depends_on)
    while open_ends:
        one = open_ends.pop()
        if one in seen or one not in agents:
            continue
        seen.add(one)
        if one in batch:
            found.add(one)
        else:
            open_ends.extend(agents[one].depends_on)
    return frozenset(found)


class Planting:
    """One finished job's; asked anew for each try of its commit."""

    def __init__(self, ports: Ports, jobs: MemoryJobs, parent: MemoryJob, outcome: Outcome) -> None:
        self._agents, self._now = ports.agents(), ports.now()
        self._jobs, self._parent, self._outcome = jobs, parent, outcome

    def writes(self, tally: Tally) -> Planted:
        """Raises InputError for more jobs than may be, or an input that an agent does not take, NotFound, Transient."""
        planted, taken = Planted(), set[str]()
        if max(len(self._outcome.batch), len(self._outcome.enqueue)) > JOB_CHILDREN:
            raise InputError(f"A job leaves {JOB_CHILDREN} others behind at most.")
        for job in (*self._batch(planted), *self._following()):
            path = paths.job_key(job.kind, job.idempotency_key) if job.idempotency_key else ""
            if path in taken or (path and not self._take(planted, job)):
                continue
            taken |= {path} - {""}
            planted.writes.append(creating(job))
            tally.moved(job.kind, None, job.status)
        return planted

    def _take(self, planted: Planted, job: MemoryJob) -> bool:
        """Take the key for the job, from the one that ends here too; whether it could be had."""
        key = self._jobs.key(job.kind, job.idempotency_key)
        other = in_flight(self._jobs, key)
        if other is not None and other.job.id != self._parent.id:
            return False
        planted.keeps_key = planted.keeps_key or other is not None
        planted.writes.append(key.taking(job.id))
        return True

    def _following(self) -> Iterator[MemoryJob]:
        for n, new in enumerate(self._outcome.enqueue):
            made = Made(derived("job", self._parent.id, "next", str(n)), self._now, self._parent)
            yield job_of(known(self._agents, new.kind), new, made)

    def _batch(self, planted: Planted) -> list[MemoryJob]:
        """The members, but for those in whose place one with the same key is at work already: others wait for that."""
        members = {kind: self._member(kind, given) for kind, given in self._outcome.batch.items()}
        kinds = frozenset(members)
        parents = {kind: parents_in(self._agents, kind, kinds) for kind in kinds}
        children = {kind: tuple(members[one].id for one in members if kind in parents[one]) for kind in kinds}
        found = []
        for kind, job in members.items():
            if (other := self._stands_in(job)) is not None:
                self._join(planted, other, children[kind])
                continue
            place = {"waiting_on": len(parents[kind]), "children": children[kind]}
            found.append(job.model_copy(update=place))
        return found

    def _member(self, kind: str, given: Mapping[str, object]) -> MemoryJob:
        made = Made(derived("job", self._parent.id, "batch", kind), self._now, self._parent, self._parent.id)
        new = NewJob(kind, given, priority=self._parent.priority)
        return job_of(known(self._agents, kind), new, made)

    def _stands_in(self, job: MemoryJob) -> HeldJob | None:
        if not job.idempotency_key:
            return None
        other = in_flight(self._jobs, self._jobs.key(job.kind, job.idempotency_key))
        return other if other is not None and other.job.id != self._parent.id else None

    @staticmethod
    def _join(planted: Planted, other: HeldJob, children: tuple[str, ...]) -> None:
        """Let the children wait for the other; should it end meanwhile, the commit fails and all is asked anew."""
        if children:
            fields = {"children": (*other.job.children, *children)}
            planted.writes.append(update(paths.memory_job(other.job.id), fields, other.update_time))
