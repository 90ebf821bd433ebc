"""Work on one claimed job: its agent is run, and what came of it is committed. Nothing that an agent raises goes on."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.claiming import Claim, seconds_for
from shared.brain.finishing import POSTPONED, Finishing, Spent
from shared.brain.making import bounded, input_of, known, plain
from shared.brain.models import Metered
from shared.brain.ports import Ports
from shared.contracts.jobs import JOB_OUTPUT_BYTES
from shared.contracts.operations import Failure, Usage
from shared.contracts.prices import usd_of
from shared.contracts.usage import UsageKind
from shared.errors import BudgetExceeded, MemexError, ModelOutputError, NotFound, SpendingPaused, Transient
from shared.faultpoint import faultpoint
from shared.gateway.transport import Cut
from shared.invalid import problems
from shared.store.errors import Malformed
from shared.store.guards import FenceLost
from shared.telemetry.spans import rooted
from shared.usage.spending import Amount

log = logging.getLogger(__name__)

MOST = Usage(input_tokens=30_000, output_tokens=8_000)
"""What one attempt may use at most, as it is set aside before a model is asked."""


@dataclass
class _Attempt:
    """One attempt as it goes: what it has used so far is known whatever becomes of it."""

    claim: Claim
    model: Metered | None = None
    told: Spent | None = None

    @property
    def spent(self) -> Spent:
        if self.model is not None and self.model.used != Usage():
            return Spent(self.model.used, self.model.name)
        return self.told or Spent()


class Working:
    def __init__(self, ports: Ports, finishing: Finishing) -> None:
        self._ports, self._finishing = ports, finishing

    def seconds(self, claim: Claim) -> float:
        """How long the attempt may take."""
        return seconds_for(self._ports.agents(), claim.job.kind)

    def work(self, claim: Claim, cut: Cut) -> None:
        """Make one attempt at the job. Raises Transient where its end could not be written: the sweep finds it."""
        attempt = _Attempt(claim)
        try:
            self._attempt(attempt, cut)
        except FenceLost as lost:
            log.info("job %s: what came of it is not kept: %s", claim.job.id, lost.message)
        except BudgetExceeded as full:
            self._end(attempt, Failure(code="quota", message=full.message), postponed=POSTPONED)
        except SpendingPaused as paused:
            self._end(attempt, Failure(code=paused.code, message=paused.message), postponed=timedelta(0))
        except MemexError as error:
            self._end(attempt, _failure(error, cut))
        except Exception as error:  # noqa: BLE001 - each job is an edge of its own: a bug in one agent holds up no other
            log.exception("job %s of %s", claim.job.id, claim.job.kind)
            self._end(attempt, Failure(code="internal", message=f"{type(error).__name__}: {error}"))
        finally:
            self._released(attempt)

    def _attempt(self, attempt: _Attempt, cut: Cut) -> None:
        claim = attempt.claim
        agent = known(self._ports.agents(), claim.job.kind)
        given = input_of(agent, claim.job.input)
        model = self._ports.model(agent.model_class)
        if model is not None:
            self._reserve(claim, agent)
            attempt.model = Metered(model)
        desk = Desk(
            store=self._ports.store(claim.workspace),
            job=claim.job,
            now=self._ports.now,
            cut=cut,
            model=attempt.model,
            embedder=self._ports.embedder(),
        )
        faultpoint("before_call:brain.agent")
        with rooted(
            f"invoke_agent {agent.id}", "internal", {"gen_ai.agent.name": agent.id, "memex.job_id": claim.job.id}
        ):
            outcome = agent.run(given, desk)
        faultpoint("after_call:brain.agent")
        attempt.told = Spent(outcome.usage, outcome.model)
        self._finishing.done(claim, outcome, _output(agent, outcome), attempt.spent)

    def _reserve(self, claim: Claim, agent: BrainAgent) -> None:
        most = Amount(MOST.input_tokens + MOST.output_tokens, usd_of(MOST))
        seconds = 2 * agent.timeout_ms / 1000
        self._ports.spending.reserve(claim.workspace, UsageKind.BRAIN, claim.job.id, most, seconds=seconds)

    def _released(self, attempt: _Attempt) -> None:
        """What was used is counted with the job's end; a hold that cannot be given back runs out."""
        if attempt.model is None:
            return
        try:
            self._ports.spending.release(attempt.claim.workspace, attempt.claim.job.id)
        except MemexError as error:
            log.warning("job %s: its hold runs out by itself: %s", attempt.claim.job.id, error.message)

    def _end(self, attempt: _Attempt, failure: Failure, *, postponed: timedelta | None = None) -> None:
        try:
            if postponed is None:
                self._finishing.failed(attempt.claim, failure, attempt.spent)
            else:
                self._finishing.postponed(attempt.claim, failure, attempt.spent, postponed)
        except (FenceLost, NotFound, Malformed) as lost:
            log.warning("job %s: its failure is not kept: %s", attempt.claim.job.id, lost.message)


def _failure(error: MemexError, cut: Cut) -> Failure:
    if cut.reason == "deadline" and isinstance(error, Transient):
        return Failure(code="timeout", message="It took longer than its agent may: the agent's timeout_ms ended it.")
    return Failure(code=error.code, message=error.message)


def _output(agent: BrainAgent, outcome: Outcome) -> Mapping[str, Any]:
    """The output as the agent's own model. Raises ModelOutputError, InputError for a long one."""
    try:
        output = agent.output.model_validate(dict(outcome.output))
    except ValidationError as error:
        problem = ": ".join(problems(error, whole="output")[0])
        raise ModelOutputError(f"The output of {agent.id} is none of its own: {problem}.") from error
    return bounded(plain(output, "output"), "output", JOB_OUTPUT_BYTES)
