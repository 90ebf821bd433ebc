"""The rules that hold at every step, each one sentence and a few lines; whoever breaks one ends the run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from infra.sim.hub import Task
from infra.sim.observed import TERMINAL, OperationSeen
from shared.operations.executions import same_execution
from shared.operations.launch import LAUNCHES

Fields = Mapping[str, Any]
MOST_ATTEMPTS, MOST_POLLS = 4, 301


class Broke(Exception):
    """A rule is broken; the message says which and by what."""


@dataclass(frozen=True)
class Actor:
    """Who made a commit: the task, and what its request says of execution and fence."""

    task: Task | None
    verb: str = ""
    body: Fields | None = None

    @property
    def earlier(self) -> bool:
        """Whether it runs the version before the present one."""
        return self.task is not None and getattr(self.task.owner, "earlier", False)

    @classmethod
    def of(cls, task: Task | None) -> Actor:
        request = None if task is None else task.marks.get("request")
        if task is None or request is None or not task.name.startswith("research#"):
            return cls(task)
        return cls(task, request.target.strip("/"), json.loads(request.body))


def kept(operation: str, new: Fields | None) -> None:
    """An operation is never deleted."""
    if new is None:
        raise Broke(f"{operation} was deleted")


def terminal_stays(operation: str, old: Fields, new: Fields) -> None:
    """A terminal state, its end and its result never change."""
    if old["status"] not in TERMINAL:
        return
    for name in ("status", "finished_at", "result_note_id", "seq", "stream_ended"):
        if old.get(name) != new.get(name):
            raise Broke(f"{operation} had ended ({old['status']}); its {name} went {old.get(name)} to {new.get(name)}")


def only_rises(operation: str, old: Fields, new: Fields) -> None:
    """Fence and seq only rise."""
    for name in ("fence", "seq", "attempts"):
        if new.get(name, 0) < old.get(name, 0):
            raise Broke(f"{operation}: {name} fell from {old.get(name)} to {new.get(name)}")


def leased_once(operation: str, old: Fields, new: Fields, at: datetime) -> None:
    """While a launch lease holds, nobody takes another."""
    held, taken = old.get("launch_expires_at"), new.get("launch_expires_at")
    if held is not None and taken is not None and taken != held and held > at:
        raise Broke(f"{operation}: a second launch lease was taken while the first held until {held}")


def abandoned(old: Fields, new: Fields) -> str | None:
    """The execution that this change takes an operation from."""
    before, after = old.get("execution"), new.get("execution")
    if not before or old["status"] in TERMINAL or same_execution(before, after):
        return None
    if new["status"] == "awaiting_approval":
        return None  # its own execution lets it wait for a person, and ends
    return str(before) if old.get("claimed") or after is None else None


def is_dead(operation: str, execution: str, lives: bool) -> None:
    """An operation is taken only from an execution that has ended."""
    if lives:
        raise Broke(f"{operation} was taken from {execution.rpartition('/')[2]}, which lives")


def right_fence(operation: str, old: Fields, new: Fields, actor: Actor) -> None:
    """No write with a lower fence is applied while the operation runs."""
    if actor.body is None or old["status"] in TERMINAL or actor.task is None:
        return
    rises = new.get("fence", 0) > old.get("fence", 0)
    shown = actor.body.get("fence") or actor.task.marks.get("fence")
    if actor.verb == "start" and (rises or same_execution(old.get("execution"), actor.body.get("execution"))):
        actor.task.marks.setdefault("fence", new.get("fence"))
        return
    if shown and shown != old.get("fence"):
        raise Broke(f"{operation}: a write with fence {shown} was applied, its fence is {old.get('fence')}")


def woken_by_the_service(operation: str, old: Fields, new: Fields, task: Task | None, sent: Mapping[str, bytes]) -> str:
    """Only a webhook that the service sent about an operation's present run wakes it; the webhook's id.

    "" for a change that is no wake.
    """
    more = new.get("wakes", 0) - old.get("wakes", 0)
    if not more:
        return ""
    request = None if task is None or not task.name.startswith("webhook#") else task.marks.get("request")
    identity = "" if request is None else str(request.headers.get("webhook-id", ""))
    body = sent.get(identity)
    about = None if body is None else json.loads(body)["data"]["id"]
    if more != 1 or about != old.get("interaction_id") or old["status"] in TERMINAL:
        raise Broke(f"{operation}: {more} wakes by {identity or 'somebody'}, about {about}")
    return identity


def one_wake_a_webhook(operation: str, identity: str, woken: Mapping[str, str]) -> None:
    """The same webhook wakes once, however often it comes."""
    if identity in woken:
        raise Broke(f"{operation} was woken by {identity}, which had woken {woken[identity]}")


def within_bounds(operation: str, new: Fields) -> None:
    """Attempts, launches and polls stay within their bounds."""
    attempts = new.get("interactions", ())
    rounds = Counter(attempt.get("round", 0) for attempt in attempts)
    if max(rounds.values(), default=0) > MOST_ATTEMPTS or new.get("launches", 0) > LAUNCHES:
        raise Broke(f"{operation} has {len(attempts)} attempts and {new.get('launches')} launches")
    if any(attempt["polls"] > MOST_POLLS for attempt in attempts):
        raise Broke(f"{operation} was polled more than {MOST_POLLS} times")


def new_intents(old: Fields, new: Fields) -> int:
    """How many intents of a paid call this change stores."""
    known = {(attempt["n"], attempt["intent_at"]) for attempt in old.get("interactions", ())}
    return sum((attempt["n"], attempt["intent_at"]) not in known for attempt in new.get("interactions", ()))


def none_after_the_end(operation: str, old: Fields, intents: int) -> None:
    """After the end, a cancel above all, nobody means to pay."""
    if intents and old["status"] in TERMINAL:
        raise Broke(f"{operation} had ended ({old['status']}) when a paid run was meant to be made")


def intent_before_each_call(seen: OperationSeen) -> None:
    """Each paid call has an intent of its own, stored before it."""
    if seen.asked > seen.intents:
        raise Broke(f"{seen.id}: {seen.asked} creates were sent on {seen.intents} intents")


def no_late_start(seen: OperationSeen, now: float, longest_life: float) -> None:
    """No paid start after an end plus the longest life of a process."""
    if seen.ended is not None and now - seen.ended > longest_life:
        raise Broke(f"{seen.id}: a run was started {now - seen.ended:.0f} s after the end")


def one_for_each_write(operation: str, note: str, twins: Sequence[str]) -> None:
    """One operation for each write that adds the tag."""
    if twins:
        raise Broke(f"{operation} and {twins[0]} answer the same tagging of {note}")


def one_report(operation: str, reports: Sequence[str]) -> None:
    """An operation has one report at most."""
    if len(reports) > 1:
        raise Broke(f"{operation} has the reports {', '.join(reports)}")


def dense(stream: str, before: Sequence[Fields], old: Fields | None, new: Fields) -> None:
    """Events are numbered without a gap, never rewritten, and none follows the terminal one."""
    if old is not None:
        raise Broke(f"{stream}: the event {new.get('seq')} was rewritten")
    if stream.startswith("notes/"):
        return  # a note may be replaced or deleted by other clients; its numbers are checked at the end
    if new["seq"] != len(before) + 1:
        raise Broke(f"{stream}: event {new['seq']} came after {len(before)} others")
    if before and before[-1]["terminal"]:
        raise Broke(f"{stream}: the event {new['type']} came after the terminal one")


def published_ids(request: bytes) -> list[str]:
    """The event ids in a Publish request."""
    from google.pubsub_v1.types import PublishRequest

    message = PublishRequest.pb().FromString(request)
    return [json.loads(each.data)["id"] for each in message.messages]
