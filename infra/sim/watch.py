"""Reads the change log after every commit and holds each change against the rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

from infra.sim import rules
from infra.sim.hub import START, Task
from infra.sim.observed import TERMINAL, NoteSeen, Observed, OperationSeen, plain
from infra.sim.rules import Actor, Broke
from infra.sim.weather import Fault
from infra.sim.world import World
from shared.research.tags import researched

LONGEST_LIFE = 1_500.0 + 120.0
"""Seconds for which a process may stand still, and then finish its request."""


class Watch:
    """Installed into a world, it fills `observed` and breaks the hub when a rule is broken."""

    def __init__(self, world: World) -> None:
        self._world, self.observed = world, Observed()
        self._creating: dict[str, Task | None] = {}
        """Who means to make a paid run, by operation, until the run's id is stored."""
        self._changes = world.services.firestore.changes
        self._seen = self._changes.last_seq()
        self._changes.subscribe(self._look)
        world.watch_model(self._asked, self._answered)
        world.watch_calls(self._called)
        world.weather.heard = self._met

    # Firestore

    def _look(self) -> None:
        """Called after each commit, by the task that made it."""
        found = self._changes.after(self._seen, 1_000)
        for _, commit in groupby(found, key=lambda change: change.commit_time):
            self._guarded(list(commit))
        if found:
            self._seen = found[-1].seq

    def _guarded(self, commit: list[Any]) -> None:
        try:
            self._commit({change.name.split("/documents/", 1)[1]: change for change in commit})
        except Broke as broke:
            self._world.hub.broken.append(str(broke))

    def _commit(self, commit: Mapping[str, Any]) -> None:
        actor = Actor.of(self._world.hub.current)
        at = next(iter(commit.values())).commit_time
        for path, change in commit.items():
            _, workspace, *parts = path.split("/")
            del workspace
            old = None if change.old is None else plain(change.old.fields)
            new = None if change.new is None else plain(change.new.fields)
            if parts[0] == "operations" and len(parts) == 2:
                self._operation(parts[1], old, new, at, actor, commit)
            elif parts[0] == "notes" and len(parts) == 2:
                self._note(parts[1], new, at)
            elif len(parts) == 4 and parts[2] == "events":
                self._event(f"{parts[0]}/{parts[1]}", parts[0], old, new)

    def _operation(
        self,
        name: str,
        old: Mapping[str, Any] | None,
        new: Mapping[str, Any] | None,
        at: datetime,
        actor: Actor,
        commit: Mapping[str, Any],
    ) -> None:
        rules.kept(name, new)
        assert new is not None
        seconds = self._world.hub.seconds
        if actor.task is not None:
            actor.task.marks["operation"] = name
        if old is None:
            by = "hand" if actor.verb == "start" else "tag"
            seen = OperationSeen(name, new, seconds, changed=seconds, asked_by=by, earlier=actor.earlier)
            self.observed.operations[name] = seen
            self._opened(seen, commit)
            return
        seen = self.observed.operations[name]
        rules.terminal_stays(name, old, new)
        rules.only_rises(name, old, new)
        rules.leased_once(name, old, new, at)
        if (dead := rules.abandoned(old, new)) is not None:
            rules.is_dead(name, dead, self._execution_lives(dead))
            self.observed.marks["relaunched"] += 1
        rules.right_fence(name, old, new, actor)
        rules.within_bounds(name, new)
        self._woken(name, old, new, actor)
        intents = rules.new_intents(old, new)
        rules.none_after_the_end(name, old, intents)
        seen.intents += intents
        if intents:
            self._creating[name] = actor.task
        elif all(attempt["interaction_id"] for attempt in new.get("interactions", ())):
            self._creating.pop(name, None)
        if new.get("fence", 0) > old.get("fence", 0) >= 1:
            self.observed.marks["reclaimed"] += 1
        self._versions(seen, new, actor)
        self._progress(seen, new, seconds)

    def _woken(self, name: str, old: Mapping[str, Any], new: Mapping[str, Any], actor: Actor) -> None:
        """Who says that there is something to look at."""
        identity = rules.woken_by_the_service(name, old, new, actor.task, self._world.webhooks.sent)
        if not identity:
            return
        rules.one_wake_a_webhook(name, identity, self.observed.woken)
        self.observed.woken[identity] = name
        self.observed.marks["woken" if old.get("callback_url") else "told before anybody listened"] += 1

    def _versions(self, seen: OperationSeen, new: Mapping[str, Any], actor: Actor) -> None:
        """What happened while two versions of the code were there."""
        if actor.task is None or self._world.weather.deploy is None:
            return
        if actor.earlier and not seen.earlier:
            self.observed.marks["old code wrote after new"] += 1
        seen.earlier = actor.earlier
        execution = (actor.body or {}).get("execution") or new.get("execution")
        if actor.verb and not actor.earlier and execution and self._world.runs_earlier_workflow(execution):
            self.observed.marks["previous workflow under new code"] += 1

    def _progress(self, seen: OperationSeen, new: Mapping[str, Any], seconds: float) -> None:
        if seen.running:
            begun = max(seen.changed, self._world.plan.heal_at)
            seen.longest_gap = max(seen.longest_gap, seconds - begun)
            if new["status"] in TERMINAL:
                seen.ended = seconds
        seen.fields, seen.changed = new, seconds

    def _opened(self, seen: OperationSeen, commit: Mapping[str, Any]) -> None:
        """One operation for each write that added the tag."""
        note = seen.fields["source_note_id"]
        if seen.asked_by != "tag":
            return
        claim = next((c for path, c in commit.items() if path.endswith(f"leases/research-{note}")), None)
        tagged_at = seen.fields["created_at"] if claim is None else plain(claim.new.fields)["tagged_at"]
        seen.interval = sum(1 for moment in self.observed.notes[note].taggings if moment <= tagged_at)
        twins = [
            each.id
            for each in self.observed.operations.values()
            if each is not seen and each.fields["source_note_id"] == note and each.interval == seen.interval
        ]
        rules.one_for_each_write(seen.id, note, twins)

    def _note(self, name: str, new: Mapping[str, Any] | None, at: datetime) -> None:
        seen: NoteSeen = self.observed.notes[name]
        tagged = researched(new)
        if tagged and not seen.tagged:
            seen.taggings.append(at)
        first = seen.fields is None
        seen.fields, seen.tagged = new, tagged
        operation = (new or {}).get("operation_id")
        if first and operation:
            self.observed.reports[operation].append(name)
            rules.one_report(operation, self.observed.reports[operation])

    def _event(self, stream: str, kind: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> None:
        if new is None:
            if kind == "operations":
                raise Broke(f"{stream}: an event was deleted")
            return
        before = self.observed.events[stream]
        rules.dense(stream, before, old, new)
        before.append(new)
        if new["type"] == "tagged_again":
            self.observed.operations[stream.partition("/")[2]].retagged.append(_moment(new["data"]["tagged_at"]))

    # The research service

    def _asked(self, verb: str) -> None:
        """An instance is about to ask the service."""
        if verb != "create":
            return
        seen = self._of_current()
        seen.asked += 1
        self._guard(lambda: rules.intent_before_each_call(seen))

    def _answered(self, verb: str, status: int, identity: str) -> None:
        if verb != "create" or status != 200:
            return
        seen, now = self._of_current(), self._world.hub.seconds
        seen.runs[identity] = now
        self._guard(lambda: rules.no_late_start(seen, now, LONGEST_LIFE))

    def _met(self, fault: Fault) -> None:
        """A fault met the current task: it counts for a paid run that its process is about to make."""
        here = self._world.hub.current
        for name, task in self._creating.items():
            alone = task is here and here is not None
            dies_with_it = fault.kind == "crash" and task is not None and here is not None and task.owner is here.owner
            if alone or dies_with_it:
                self.observed.operations[name].create_faults.append(fault)

    def _of_current(self) -> OperationSeen:
        task = self._world.hub.current
        assert task is not None
        name = task.marks.get("operation") or (Actor.of(task).body or {})["operation_id"]
        return self.observed.operations[name]

    def _guard(self, rule: Any) -> None:
        try:
            rule()
        except Broke as broke:
            self._world.hub.broken.append(str(broke))

    # Everything else

    def _called(self, method: str, request: bytes) -> None:
        """A gRPC call of an instance was applied."""
        if method.endswith("/Publish"):
            for identity in rules.published_ids(request):
                self.observed.published[identity] += 1

    def _execution_lives(self, name: str) -> bool:
        return self._world.execution_state(name) == "ACTIVE"

    def seconds_of(self, moment: datetime) -> float:
        return (moment - START).total_seconds()


def _moment(value: Any) -> datetime:
    """A moment in an event's data, which may be kept as text."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
