"""Working on a claimed step: the loop of model and tools, and what came of it told to the run."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path

from shared.contracts.runs import RunStep, StepStatus
from shared.errors import MemexError
from shared.loop.carrying import Carrying
from shared.loop.ports import Briefing, Means
from shared.loop.watching import watch
from shared.loop.workers import Workers
from shared.runs.bounds import StepBounds
from shared.runs.citing import CitingTools
from shared.runs.claiming import Claim
from shared.runs.ports import Key, Ports
from shared.runs.queueing import Queue
from shared.runs.seat import REQUEST_OVER, StepSeat
from shared.runs.settling import Settling

log = logging.getLogger(__name__)

_ADDRESS = re.compile(r"https?://\S+")
"""An earlier step's words name none: what it has read is read again by its source alone."""


class Working:
    def __init__(self, ports: Ports, workers: Workers, queue: Queue) -> None:
        self._ports, self._workers = ports, workers
        self._settling = Settling(ports, queue)

    def work(self, key: Key, claim: Claim, until: datetime) -> None:
        """Work on the step until it has ended, is another's, or `until`, when it is given back. Raises Transient."""
        seat = StepSeat(self._ports, key, claim.step, asked=_asked(claim), until=until, given=_given(claim))
        if not seat.ended:
            with at_work(self._ports, self._workers, seat):
                Carrying(self._means(seat, claim)).carry(seat, self._briefing)
        if seat.ended:
            self._settling.settle(key, seat.step)

    def _means(self, seat: StepSeat, claim: Claim) -> Means:
        ports, step = self._ports, claim.step
        tools = CitingTools(ports.tools(), seat.table, step.tool_name)
        return Means(
            model=ports.work_model,
            tools=lambda: tools,
            clock=ports.clock,
            spawn=ports.spawn,
            retry_seconds=ports.settings.chat_retry_seconds,
            bounds=StepBounds(step.budget, ports.settings.run_step_iterations, claim.run.deadline_at, ports.clock),
            waits=True,
        )

    def _briefing(self) -> Briefing:
        today = self._ports.now().date()
        return Briefing(_prompt().replace("{today}", f"{today:%A}, {today.isoformat()}"), _version())


@contextmanager
def at_work(ports: Ports, workers: Workers, seat: StepSeat) -> Iterator[None]:
    """While inside, the seat's lease is renewed, and a cancel reaches it from here or from elsewhere."""
    with workers.working((seat.key, seat.id), seat):
        ports.spawn(lambda: watch(ports.clock, seat), f"watch {seat.id}")
        yield


def let_go(seat: StepSeat) -> None:
    """Let another worker take the step at once, where this one's request was over; never raises."""
    if seat.cut.reason != REQUEST_OVER:
        return
    try:
        seat.give_back()
    except MemexError as error:
        log.warning("step %s waits for the end of its lease: %s", seat.id, error.message)


def _asked(claim: Claim) -> str:
    """What the sub-agent is told: the goal, its task, and what the steps it depends on have found."""
    goal, task = escape(claim.run.goal, quote=False), escape(claim.step.task, quote=False)
    before = "".join(map(_found, _depended(claim.steps, claim.step)))
    return f"<goal>\n{goal}\n</goal>\n{before}\n<task>\n{task}\n</task>"


def _given(claim: Claim) -> Callable[[str], bool] | None:
    """Which addresses may be read from the start, where an earlier step has read the web; None for all.

    What a page has said may be in that step's words. It shall not have a secret carried off in an address that this
    step makes up: so of the web only what the goal, the task or a source names.
    """
    sources = [one.source.url for step in _depended(claim.steps, claim.step) for one in step.sources if one.source.url]
    if not sources:
        return None
    said = (claim.run.goal, claim.step.task, *sources)
    return lambda url: any(url.rstrip("/") in text for text in said)


def _depended(steps: Sequence[RunStep], step: RunStep) -> list[RunStep]:
    return [one for one in steps if one.id in step.depends_on]


def _found(step: RunStep) -> str:
    title = escape(step.title)
    text = step.summary if step.status is StepStatus.SUCCEEDED else f"(This step was {step.status.value}.)"
    told = _ADDRESS.sub("(an address)", text)
    return f'\n<step title="{title}" status="{step.status.value}">\n{escape(told, quote=False)}\n</step>\n'


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "work.md").read_text(encoding="utf-8").strip()


@cache
def _version() -> str:
    return hashlib.sha256(_prompt().encode()).hexdigest()[:12]
