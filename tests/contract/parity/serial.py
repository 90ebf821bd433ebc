"""What must hold of interleaved transactions, locks or not: one order explains them, and none fails for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.contract.parity.firestore_side import Answer
from tests.contract.parity.step import Step

GREATER, EQUAL = 3, 5
READS = ("BatchGetDocuments", "RunQuery", "ListDocuments")
State = dict[str, tuple[int | None, int]]
"""For each document that ever was: its number (None when it is gone), and the commit that changed it last."""
Seen = list[tuple[str, int | None, int]]


@dataclass
class Event:
    """A step that was answered: the number of the step at which it began, and of that during which it ended."""

    step: Step
    began: int
    ended: int
    answer: Answer
    commit_time: tuple[int, int] = (0, 0)

    @property
    def changes(self) -> bool:
        return self.step.method == "Commit" and bool(self.step.request.writes) and self.answer.code == "OK"


def fault(events: list[Event]) -> tuple[Event, str] | None:
    """The first event that must not be, and why."""
    history = _History(events)
    for transaction in _transactions(events):
        reads = [each for each in transaction if each.step.method in READS]
        for each in transaction:
            wrong = _wrong(history, transaction[0], reads, each)
            if wrong is not None:
                return each, wrong
    return None


def _transactions(events: list[Event]) -> Iterator[list[Event]]:
    for actor in sorted({each.step.actor for each in events} - {0}):
        of_one: list[Event] = []
        for each in sorted((e for e in events if e.step.actor == actor), key=lambda e: e.began):
            if each.step.method == "BeginTransaction" and of_one:
                yield of_one
                of_one = []
            of_one.append(each)
        yield of_one


class _History:
    """The states of the documents, one after each commit, in the order of the commits."""

    def __init__(self, events: list[Event]) -> None:
        self._commits = sorted((each for each in events if each.changes), key=lambda each: each.commit_time)
        self.states: list[State] = [{}]
        for number, each in enumerate(self._commits, 1):
            self.states.append(_after(self.states[-1], each.step.request.writes, number))

    def place(self, event: Event) -> int:
        """The number of the state that the commit led to."""
        return next(number for number, each in enumerate(self._commits, 1) if each is event)

    def span(self, event: Event) -> range:
        """The states that there may have been while the event was under way."""
        others = [each for each in self._commits if each is not event]
        before = sum(each.ended < event.began for each in others)
        until = sum(each.began <= event.ended for each in others)
        return range(before, until + 1)

    def moment(self, event: Event) -> int | None:
        """The one state that there was, None when it cannot be told."""
        span = self.span(event)
        return span[0] if len(span) == 1 else None


def _after(state: State, writes: Any, number: int) -> State:
    changed = dict(state)
    for write in writes:
        name = write.delete or write.update.name
        wanted = None if write.delete else write.update.fields["a"].integer_value
        if changed.get(name, (None, 0))[0] != wanted:
            changed[name] = (wanted, number)
    return changed


def _view(state: State, request: Any) -> Seen:
    """What a read gives in a state."""
    if hasattr(request, "documents"):
        return [(name, *state.get(name, (None, 0))) for name in sorted(request.documents)]
    found = [(name, *held) for name, held in sorted(state.items()) if held[0] is not None]
    query = getattr(request, "structured_query", None)
    if query is None:
        return found
    if query.HasField("where"):
        wanted, op = query.where.field_filter.value.integer_value, query.where.field_filter.op
        found = [each for each in found if ((each[1] or 0) > wanted if op == GREATER else each[1] == wanted)]
        found.sort(key=lambda each: (each[1], each[0]))
    return found[: query.limit.value] if query.HasField("limit") else found


def _seen(event: Event) -> list[tuple[str, int | None]]:
    """What a read gave."""
    content = event.answer.content
    told = content.get("documents", []) if isinstance(content, dict) else content
    found: list[tuple[str, int | None]] = []
    for each in told:
        held = each.get("found") or each.get("document") or each
        if "missing" in each:
            found.append((each["missing"], None))
        elif "name" in held:
            found.append((held["name"], int(held["fields"]["a"][1])))
    return sorted(found) if event.step.method == "BatchGetDocuments" else found


def _explains(state: State, reads: list[Event]) -> bool:
    return all([each[:2] for each in _view(state, r.step.request)] == _seen(r) for r in reads)


def _holds(history: _History, reads: list[Event], now: int) -> bool | None:
    """Whether what was read is in the state `now` as it was, None when it cannot be told when it was read."""
    for each in reads:
        then = history.moment(each)
        if then is None:
            return None
        request = each.step.request
        if _view(history.states[then], request) != _view(history.states[now], request):
            return False
    return True


def _wrong(history: _History, begin: Event, reads: list[Event], event: Event) -> str | None:
    read_only = begin.step.request.options.HasField("read_only")
    code, writes = event.answer.code, getattr(event.step.request, "writes", ())
    if event.step.method == "Commit" and read_only and writes:
        return None if code == "INVALID_ARGUMENT" else "a read-only transaction wrote"
    if event.step.method == "Commit" and not read_only:
        return _wrong_end(history, reads, event)
    if code != "OK":
        return "it is refused"
    if event not in reads:
        return None
    earlier = reads[: reads.index(event)]
    if not any(_explains(state, [*earlier, event]) for state in history.states):
        return "no one state explains what the transaction saw"
    if read_only:
        held = history.moment(begin)
        fine = held is None or _explains(history.states[held], [event])
        return None if fine else "a read-only transaction saw another state than that at its beginning"
    now = history.moment(event)
    if now is not None and _holds(history, earlier, now) and not _explains(history.states[now], [event]):
        return "it saw an old state although nothing it had read has changed"
    return None


def _wrong_end(history: _History, reads: list[Event], event: Event) -> str | None:
    code = event.answer.code
    now = history.moment(event)
    if code == "ABORTED":
        spurious = now is not None and _holds(history, reads, now)
        return "it is aborted although nothing it had read has changed" if spurious else None
    if code != "OK":
        return "it is refused"
    at = history.place(event) - 1 if event.changes else now
    if at is not None and not _explains(history.states[at], reads):
        return "it is committed although what it had read has changed"
    return None
