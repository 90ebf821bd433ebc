"""The brain's queue, put together: what the functions, the API, the command line and MCP call."""

from __future__ import annotations

import logging

from shared.brain.agent import NewJob
from shared.brain.cancelling import Cancelling
from shared.brain.claiming import Claiming
from shared.brain.draining import Draining
from shared.brain.enqueueing import Enqueueing
from shared.brain.finishing import Finishing
from shared.brain.launching import Launching
from shared.brain.ports import Ports
from shared.brain.retrying import Retrying
from shared.brain.sensing import Sensing
from shared.brain.status import status
from shared.brain.working import Working
from shared.contracts.brain_api import AgentsAnswer, JobChangeAnswer
from shared.contracts.brain_drain import (
    DrainAnswer,
    DrainFailRequest,
    DrainLaneAnswer,
    DrainRequest,
    DrainStartAnswer,
    DrainStartRequest,
)
from shared.contracts.jobs import MemoryJob
from shared.contracts.workspaces import Feature
from shared.errors import MemexError
from shared.trace.received import TraceEvent
from shared.trigger import Change

log = logging.getLogger(__name__)


class Brain:
    """Every move of a job, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.launching = Launching(ports)
        self._enqueueing = Enqueueing(ports)
        self._retrying, self._cancelling = Retrying(ports), Cancelling(ports)
        working = Working(ports, Finishing(ports))
        self._draining = Draining(ports, self.launching, Claiming(ports), working)
        self._sensing = Sensing(ports, self.launching.allowed, self._put)

    def enqueue(self, workspace: str, new: NewJob, *, job_id: str | None = None) -> MemoryJob:
        """The job, or the one that is in flight with the same idempotency key.

        With a `job_id` that derives from a cause it is made once for that cause. Raises NotFound for an agent that is
        none, InputError for an input that is none of its, Forbidden or PaymentRequired where the workspace does not
        have the brain, and Transient.
        """
        self.ports.spending.require(workspace, Feature.BRAIN)
        return self._put(workspace, new, job_id)

    def job(self, workspace: str, job_id: str) -> MemoryJob:
        """Raises NotFound."""
        return self.ports.store(workspace).memory_jobs.get(job_id)

    def jobs(
        self,
        workspace: str,
        *,
        status: str | None = None,
        kind: str | None = None,
        limit: int,
        cursor: str | None = None,
    ) -> tuple[tuple[MemoryJob, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        return self.ports.store(workspace).memory_jobs.list(status=status, kind=kind, limit=limit, cursor=cursor)

    def retry(self, workspace: str, job_id: str) -> JobChangeAnswer:
        """See Retrying.retry. Raises Forbidden or PaymentRequired as `enqueue`."""
        self.ports.spending.require(workspace, Feature.BRAIN)
        answer = self._retrying.retry(workspace, job_id)
        if answer.changed:
            self._drained(workspace)
        return answer

    def cancel(self, workspace: str, job_id: str) -> JobChangeAnswer:
        """See Cancelling.cancel. A worker of this process stops at once, one elsewhere within seconds."""
        answer = self._cancelling.cancel(workspace, job_id)
        if answer.changed:
            self._draining.lanes.cut(workspace, job_id)
        return answer

    def status(self, workspace: str) -> AgentsAnswer:
        """How every agent fares; the same few reads however many jobs there are. Raises Transient."""
        return status(self.ports, workspace)

    def start(self, request: DrainStartRequest) -> DrainStartAnswer:
        """See Draining.start."""
        return self._draining.start(request)

    def run(self, request: DrainRequest) -> DrainLaneAnswer:
        """See Draining.run."""
        return self._draining.run(request)

    def next(self, request: DrainRequest) -> DrainAnswer:
        """See Draining.next."""
        return self._draining.next(request)

    def fail(self, request: DrainFailRequest) -> DrainAnswer:
        """See Draining.fail."""
        return self._draining.fail(request)

    def note_written(self, change: Change) -> None:
        """See Sensing.note_written."""
        self._sensing.note_written(change)

    def event(self, event: TraceEvent) -> None:
        """See Sensing.event."""
        self._sensing.event(event)

    def session_gone(self, workspace: str, session_id: str) -> None:
        """See Sensing.session_gone."""
        self._sensing.session_gone(workspace, session_id)

    def _put(self, workspace: str, new: NewJob, job_id: str | None = None) -> MemoryJob:
        job, _made = self._enqueueing.enqueue(workspace, new, job_id)
        if not job.status.terminal:
            self._drained(workspace)
        return job

    def _drained(self, workspace: str) -> None:
        """The fast path: what fails here the sweep makes up for."""
        try:
            self.launching.ensure(workspace)
        except MemexError as error:
            log.warning("the brain of %s is drained by the next sweep: %s", workspace, error.message)
