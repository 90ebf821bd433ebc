"""workspaces/{workspace}/agent_runs: the runs with their frames, and their steps with streams and answers of their own.

The status of a step changes with its run alone: in the one commit of the run's frame and the step's document. So who
decides on the run's document, and reads the steps after it, decides on all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import Event
from shared.contracts.runs import AgentRun, RunStep
from shared.errors import NotFound
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.streams import Append, Streams
from shared.store.writes import Snapshot

_STEPS = 200
_ANSWERS = 500


@dataclass(frozen=True)
class RunChange:
    """A run after an append, the events that were added, and whether anything was written."""

    run: AgentRun
    events: tuple[Event, ...]
    changed: bool


@dataclass(frozen=True)
class StepChange:
    """The same for a step."""

    step: RunStep
    events: tuple[Event, ...]
    changed: bool


DecideRun = Callable[[AgentRun | None, Snapshot], Append | None]
DecideStep = Callable[[RunStep, Snapshot], Append | None]


class Runs:
    def __init__(self, database: Database, streams: Streams) -> None:
        self._database, self._streams = database, streams

    def find(self, run_id: str) -> AgentRun | None:
        return _run_of(self._database.get(paths.run(run_id)))

    def get(self, run_id: str) -> AgentRun:
        """Raises NotFound, Malformed."""
        run = self.find(run_id)
        if run is None:
            raise missing(run_id)
        return run

    def list(
        self, *, status: str | None = None, limit: int, cursor: str | None = None
    ) -> tuple[tuple[AgentRun, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        filters = (("status", "==", status),) if status is not None else ()
        found = self._database.query("agent_runs", newest_first(filters, limit + 1, cursor))
        page = found[:limit]
        runs = tuple(well_formed(AgentRun, page))
        return runs, cursor_of(page[-1].fields or {}, page[-1].id) if len(found) > limit else None

    def append(self, run_id: str, decide: DecideRun, *, point: str, create: bool = False) -> RunChange:
        """`Streams.append` on a run; `decide` gets it as a model, with the snapshot for its times."""
        path = paths.run(run_id)
        appended = self._streams.append(
            path, lambda current: decide(_run_of(current), current), point=point, create=create
        )
        return RunChange(parsed(AgentRun, appended.fields, path), appended.events, appended.changed)

    def steps(self, run_id: str) -> tuple[RunStep, ...]:
        """All steps of a run, in order."""
        query = Query(_STEPS, (), (("index", "ASCENDING"),))
        found = self._database.query(f"{paths.run(run_id)}/steps", query)
        return tuple(parsed(RunStep, one.fields or {}, one.path) for one in found)

    def find_step(self, run_id: str, step_id: str) -> RunStep | None:
        found = self._database.get(paths.run_step(run_id, step_id))
        return None if found.fields is None else parsed(RunStep, found.fields, found.path)

    def append_step(self, run_id: str, step_id: str, decide: DecideStep, *, point: str) -> StepChange:
        """`Streams.append` on a step, whose own stream it is. Raises NotFound."""
        path = paths.run_step(run_id, step_id)
        appended = self._streams.append(
            path, lambda current: decide(parsed(RunStep, current.fields or {}, path), current), point=point
        )
        return StepChange(parsed(RunStep, appended.fields, path), appended.events, appended.changed)

    def answers(self, run_id: str, step_id: str) -> tuple[ModelAnswer, ...]:
        """The stored answers of a step's model, in order."""
        query = Query(_ANSWERS, (), (("n", "ASCENDING"),))
        found = self._database.query(f"{paths.run_step(run_id, step_id)}/answers", query)
        return tuple(parsed(ModelAnswer, one.fields or {}, one.path) for one in found)


def _run_of(found: Snapshot) -> AgentRun | None:
    return None if found.fields is None else parsed(AgentRun, found.fields, found.path)


def missing(run_id: str) -> NotFound:
    return NotFound(f"There is no run {run_id}.")
