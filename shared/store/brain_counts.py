"""brain_counts/{n}: how many jobs of each agent are in which state, and what became of what they brought.

Every commit that moves a job adds to one shard, so the sums are exact and cost COUNT_SHARDS reads, however many jobs
there are.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from shared.contracts.jobs import COUNT_SHARDS, AgentCounts, CountShard, JobStatus
from shared.store import paths
from shared.store.database import Database
from shared.store.documents import well_formed
from shared.store.writes import Write, add

_NAMES = tuple(name for name in AgentCounts.model_fields if name != "v")


class Tally:
    """What one commit adds to the counts, as one write to the shard that the id of its job decides."""

    def __init__(self, job_id: str) -> None:
        self._shard = hashlib.sha256(job_id.encode()).digest()[0] % COUNT_SHARDS
        self._numbers: dict[str, Counter[str]] = defaultdict(Counter)
        self._fields: dict[str, Any] = {}

    def add(self, agent: str, numbers: Mapping[str, int]) -> Tally:
        """Add to fields of AgentCounts."""
        self._numbers[agent].update(numbers)
        return self

    def moved(self, agent: str, before: JobStatus | None, after: JobStatus) -> Tally:
        """A job of the agent is in another state; with `before` None it is new."""
        if before is not None:
            self._numbers[agent][before.value] -= 1
        self._numbers[agent][after.value] += 1
        return self.due(agent) if after is JobStatus.PENDING else self

    def due(self, agent: str) -> Tally:
        """There may be work that was not there before: whoever is about to stop looking looks again."""
        self._numbers[agent]["enqueued"] += 1
        return self

    def ended(self, agent: str, at: datetime, model: str) -> Tally:
        """A job of the agent was worked on to its end, by that model ("" is not known)."""
        self._fields["last_run_at"] = {agent: at}
        if model:
            self._fields["last_model"] = {agent: model}
        return self

    def write(self) -> Write:
        moved = {agent: {name: n for name, n in each.items() if n} for agent, each in self._numbers.items()}
        # An empty map would not be merged: it would take the place of the one that is there.
        numbers = {agent: each for agent, each in moved.items() if each}
        return add(paths.brain_counts(self._shard), {**({"agents": numbers} if numbers else {}), **self._fields})


@dataclass(frozen=True)
class Counted:
    """All shards as of one moment."""

    shards: tuple[CountShard, ...]

    @cached_property
    def agents(self) -> Mapping[str, AgentCounts]:
        sums: dict[str, Counter[str]] = defaultdict(Counter)
        for shard in self.shards:
            for agent, counts in shard.agents.items():
                sums[agent].update({name: getattr(counts, name) for name in _NAMES})
        return {agent: AgentCounts(**each) for agent, each in sums.items()}

    @property
    def generation(self) -> int:
        """Grows whenever a job comes to be due, or may come to be: the same number twice means that none did."""
        return sum(counts.enqueued for counts in self.agents.values())

    def last_run(self, agent: str) -> tuple[datetime | None, str]:
        """When a job of the agent last ended, and which model had worked on it."""
        runs = [
            (at, shard.last_model.get(agent, ""))
            for shard in self.shards
            if (at := shard.last_run_at.get(agent)) is not None
        ]
        return max(runs) if runs else (None, "")


class BrainCounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> Counted:
        """COUNT_SHARDS reads."""
        found = self._database.get_all([paths.brain_counts(n) for n in range(COUNT_SHARDS)])
        return Counted(tuple(well_formed(CountShard, (one for one in found if one.fields is not None))))
