"""What the steps have found becomes one cited answer, a note: it and the end of the run are one commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from html import escape
from pathlib import Path

from shared.contracts.events import EventType
from shared.contracts.limits import TITLE_CHARACTERS
from shared.contracts.notes import PARTIAL_TAG, Note, NoteKind
from shared.contracts.runs import AgentRun, NumberedSource, RunStatus, RunStep, StepStatus
from shared.errors import MemexError, Transient
from shared.ids import derived
from shared.llm.port import ModelRequest
from shared.loop.seat import Halted
from shared.loop.workers import Workers
from shared.runs import budgets
from shared.runs.asking import Asked, ask, said
from shared.runs.citations import Cited, cited, table_of
from shared.runs.claiming import Claim
from shared.runs.ending import Ending, Last, closing, settle_spending
from shared.runs.frames import of_step, title_of
from shared.runs.ports import Key, Ports
from shared.runs.seat import StepSeat
from shared.runs.telling_text import TellingText
from shared.runs.working import at_work, let_go
from shared.store.event_size import cut_text
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot

_SECONDS, _OUTPUT_TOKENS = 180.0, 16_000
_SOURCES, _PASSAGE_BYTES, _GIVEN_BYTES = 150, 500, 400_000
_GRACE = timedelta(minutes=15)
"""How long after the end of the run's time the answer may be written."""
_BOUNDS = frozenset({"time", "tokens", "calls", "usd", "iterations"})
_NO_EVIDENCE = "Nothing was found that could be cited: an answer would have no evidence. Add notes or documents on it."


@dataclass(frozen=True)
class Written:
    """The answer, or why there is none; `note` keeps what there is."""

    ending: Ending
    cited: Cited | None = None


class Synthesising:
    def __init__(self, ports: Ports, workers: Workers) -> None:
        self._ports, self._workers = ports, workers

    def synthesise(self, key: Key, claim: Claim, until: datetime) -> None:
        """Write the answer and end the run with it; without evidence the run fails.

        At `until` it is left to the next call. Raises Transient where the store is away.
        """
        seat, asked = StepSeat(self._ports, key, claim.step, until=until), Asked()
        try:
            with at_work(self._ports, self._workers, seat):
                written = self._written(key, seat, claim, asked)
        except Halted:
            let_go(seat)
            return
        self._end(key, seat, asked, written)

    def _written(self, key: Key, seat: StepSeat, claim: Claim, asked: Asked) -> Written:
        run, steps = claim.run, budgets.work(claim.steps)
        table = table_of(steps)
        if not table:
            return Written(Ending.failed("no_evidence", _NO_EVIDENCE, self._kept(run, steps)))
        try:
            if run.deadline_at is not None and self._ports.now() > run.deadline_at + _GRACE:
                raise Transient("the model took too long.")
            found = self._answer(key, seat, run, steps, asked)
        except MemexError as error:
            message = f"The steps are done, but the answer could not be written: {error.message}"
            return Written(Ending.failed(error.code, message, self._kept(run, steps)))
        if not found.citations:
            note = self._note(run, found.text, found, partial=True)
            return Written(Ending.failed("no_evidence", "The answer cites none of the sources that were found.", note))
        reason = run.stop_reason or _first_bound(steps) or "end"
        counts = (("citations", len(found.citations)), ("dropped_citations", found.dropped))
        note = self._note(run, found.body, found, partial=False)
        return Written(Ending(RunStatus.SUCCEEDED, reason, note=note, data=counts), found)

    def _answer(self, key: Key, seat: StepSeat, run: AgentRun, steps: Sequence[RunStep], asked: Asked) -> Cited:
        """The model's answer; one that cites nothing is asked for once more."""
        today, table = self._ports.now().date(), table_of(steps)
        request = ModelRequest(
            messages=(said(_material(run, steps, table)),),
            system=_prompt().replace("{today}", f"{today:%A}, {today.isoformat()}"),
            max_output_tokens=_OUTPUT_TOKENS,
            deadline_seconds=_SECONDS,
        )
        telling = TellingText(self._ports, key, seat.step)
        text, answer = ask(self._ports, seat, request, asked, telling.add)
        found = cited(text, table)
        if not found.citations:
            wrong = said("This answer cites no source. Write it anew, with the id of its source behind each statement.")
            again = replace(request, messages=(*request.messages, answer, wrong))
            found = cited(ask(self._ports, seat, again, asked, telling.add)[0], table)
        telling.flush()
        return found

    def _end(self, key: Key, seat: StepSeat, asked: Asked, written: Written) -> None:
        runs = self._ports.store(key.workspace).runs

        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            step = runs.find_step(key.run_id, seat.id)
            if run is None or step is None or run.status.terminal or not seat.holds(step):
                return None
            # Research writes the report of its operation itself, of the text that lies in the step.
            ending = replace(written.ending, note=None) if run.operation_id else written.ending
            given = written.cited.given if run.operation_id and written.cited else ""
            status = StepStatus.FAILED if ending.error else StepStatus.SUCCEEDED
            how = {"status": status, "usage": asked.usage, "error": ending.error, "stop_reason": ending.stop_reason}
            done = step.model_copy(update={**how, "summary": cut_text(given, _GIVEN_BYTES)})
            frames = (*_citations(step, written.cited), _ended(step, status, ending))
            return closing(run, runs.steps(key.run_id), ending, self._ports.now(), Last(frames, (done,)))

        change = runs.append(key.run_id, decide, point="run.end")
        if change.changed:
            settle_spending(self._ports, key, change.run)

    def _kept(self, run: AgentRun, steps: Iterable[RunStep]) -> Note | None:
        """What the steps said, as a partial note; None when they said nothing."""
        said_so = [f"## {step.title}\n\n{step.summary}" for step in steps if step.summary.strip()]
        if not said_so:
            return None
        found = cited("\n\n".join(said_so), table_of(steps))
        return self._note(run, found.body, found, partial=True)

    def _note(self, run: AgentRun, body: str, found: Cited, *, partial: bool) -> Note:
        now = self._ports.now()
        title = title_of(run.goal)
        return Note(
            id=derived("note", run.id),
            kind=NoteKind.ANSWER,
            title=(f"Partial: {title}" if partial else title)[:TITLE_CHARACTERS],
            body=body,
            body_bytes=len(body.encode()),
            tags=(PARTIAL_TAG,) if partial else (),
            run_id=run.id,
            citations=found.citations,
            partial=partial,
            created_at=now,
            updated_at=now,
        )


def _first_bound(steps: Iterable[RunStep]) -> str:
    """The bound that one of the steps came to, if any."""
    return next((step.stop_reason for step in steps if step.stop_reason in _BOUNDS), "")


def _material(run: AgentRun, steps: Sequence[RunStep], table: Mapping[str, NumberedSource]) -> str:
    """The goal, what each step found or why it did not, and the sources: those that were named first."""
    named = [name for name in table if any(f"{name}]" in step.summary or f"{name}," in step.summary for step in steps)]
    order = [*named, *(name for name in table if name not in named)][:_SOURCES]
    found = "\n".join(map(_finding, steps))
    sources = "\n".join(_source(table[name]) for name in order)
    stopped = f"\n<stopped>{run.stop_reason}</stopped>" if run.stop_reason else ""
    return f"<goal>\n{escape(run.goal, quote=False)}\n</goal>\n{found}\n{sources}{stopped}"


def _finding(step: RunStep) -> str:
    reason = f" ({step.error.message})" if step.error is not None else ""
    text = step.summary or f"This step was {step.status.value}{reason}."
    title = escape(step.title)
    return f'<step title="{title}" status="{step.status.value}">\n{escape(text, quote=False)}\n</step>'


def _source(one: NumberedSource) -> str:
    source = one.source
    page = f' page="{source.page}"' if source.page is not None else ""
    passage = escape(cut_text(source.passage, _PASSAGE_BYTES), quote=False)
    return f'<source id="{one.id}" title="{escape(source.title)}"{page}>\n{passage}\n</source>'


def _citations(step: RunStep, found: Cited | None) -> tuple[EventDraft, ...]:
    if found is None:
        return ()
    return tuple(
        of_step(
            EventType.CITATION,
            step,
            RunStatus.SYNTHESISING.value,
            source_id=source_id,
            **{**one.model_dump(exclude={"v", "title", "resolved"}, exclude_none=True), "source_title": one.title},
        )
        for one, source_id in zip(found.citations[:50], found.ids, strict=False)
    )


def _ended(step: RunStep, status: StepStatus, ending: Ending) -> EventDraft:
    if ending.error is not None:
        told = {"code": ending.error.code, "message": ending.error.message, "again": False}
        return of_step(EventType.STEP_FAILED, step, status.value, **told)
    return of_step(EventType.STEP_COMPLETED, step, status.value, stop_reason=ending.stop_reason)


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "synthesise.md").read_text(encoding="utf-8").strip()
