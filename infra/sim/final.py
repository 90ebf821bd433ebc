"""What must be true once the faults have ended and the world has come to rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from infra.sim.observed import Observed, OperationSeen
from infra.sim.scenario import Scenario
from infra.sim.world import LEASE_SECONDS, World
from shared.ids import derived

SWEEP_SECONDS, STALE_SECONDS, BACKOFF_SECONDS, REQUEST_SECONDS = 300.0, 60.0, 60.0, 150.0
RECOVERY_SECONDS = LEASE_SECONDS + SWEEP_SECONDS + STALE_SECONDS + BACKOFF_SECONDS + REQUEST_SECONDS
"""A running operation is never left alone for longer, once nothing goes wrong any more."""


def broken(world: World, observed: Observed, scenario: Scenario) -> list[str]:
    """Every rule of the end that does not hold, as a sentence."""
    found = [*observed.errors]
    for operation in observed.operations.values():
        found += _operation(operation, world, observed)
    found += _taggings(observed)
    found += _rest(world)
    found += _stories(scenario, observed)
    found += _forged(scenario)
    found += [f"the event {each} never reached Pub/Sub" for each in unpublished(observed)]
    return found


def unpublished(observed: Observed) -> list[str]:
    """Ids of stored events that Pub/Sub has not got."""
    return [
        event["id"] for events in observed.events.values() for event in events if event["id"] not in observed.published
    ]


def _operation(seen: OperationSeen, world: World, observed: Observed) -> Iterator[str]:
    fields = seen.fields
    if seen.running:
        yield f"{seen.id} is unfinished: {fields.get('error')}"
        return
    if fields.get("launch_expires_at") is not None:
        yield f"{seen.id} has ended and holds a launch lease"
    if fields.get("cancel_pending"):
        yield f"{seen.id} has ended and its outside work is not known to have stopped"
    if seen.longest_gap > RECOVERY_SECONDS:
        yield f"{seen.id} was left alone for {seen.longest_gap:.0f} s, more than {RECOVERY_SECONDS:.0f}"
    yield from _reported(seen, observed)
    yield from _wasted(seen, world)
    yield from _numbered(seen, observed)


def _reported(seen: OperationSeen, observed: Observed) -> Iterator[str]:
    """Exactly one report for what is completed; for a failure a partial one or none; for a cancel none."""
    status, reports = seen.fields["status"], observed.reports.get(seen.id, [])
    named = seen.fields.get("result_note_id")
    if reports != ([named] if named else []):
        yield f"{seen.id} names the report {named}, and there are {reports}"
    elif named and named != derived("note", seen.id):
        yield f"{seen.id}: the report's id {named} does not derive from the operation"
    if status == "completed" and len(reports) != 1:
        yield f"{seen.id} is completed and has {len(reports)} reports"
    if status == "cancelled" and reports:
        yield f"{seen.id} was cancelled and has a report"


def _wasted(seen: OperationSeen, world: World) -> Iterator[str]:
    """Paid runs that nobody cancelled: one a round, one for each fault that hit a create, one after a failure."""
    wanted = [each for each in seen.fields.get("interactions", ()) if each["reason"] == "report_phase_failure"]
    allowed = 1 + seen.fields.get("round", 0) + len(wanted) + len(seen.create_faults)
    runs = [each for each in seen.runs if not world.run_was_cancelled(each)]
    if len(runs) > allowed:
        yield f"{seen.id} has {len(runs)} paid runs, {allowed} may be: {sorted(runs)}"


def _numbered(seen: OperationSeen, observed: Observed) -> Iterator[str]:
    events = observed.events[f"operations/{seen.id}"]
    if seen.fields.get("seq") != len(events) or not events[-1]["terminal"]:
        yield f"{seen.id} has the seq {seen.fields.get('seq')}, {len(events)} events, the last {events[-1]['type']}"


def _taggings(observed: Observed) -> Iterator[str]:
    """Whoever is still tagged has got an operation for its last tagging, or was told that one is running."""
    for name, note in observed.notes.items():
        if not note.tagged or not note.taggings:
            continue
        last = note.taggings[-1]
        answered = any(
            each.fields["created_at"]
            and (each.interval == len(note.taggings) or any(at >= last for at in each.retagged))
            or (each.asked_by == "hand" and each.fields["source_note_id"] == name)
            for each in observed.operations.values()
            if each.fields["source_note_id"] == name
        )
        if not answered:
            yield f"the note {name} was tagged at {last} and nothing was done about it"


def _rest(world: World) -> Iterator[str]:
    """Nothing is under way in the cloud."""
    for execution in world.active_executions():
        yield f"the execution {execution} has not ended"
    for each in world.services.aiplatform.webhooks.deliveries():
        if each["state"] not in ("delivered", "lost"):
            yield f"the webhook about {each['about']} is {each['state']} after {each['attempts']} attempts"
    for function, states in world.services.eventarc.counts().items():
        for state, count in states.items():
            if state != "delivered":
                yield f"{count} events for {function} are {state}"


def _forged(scenario: Scenario) -> Iterator[str]:
    """Nothing but a true webhook is taken, and of that only the copy."""
    for forger in scenario.forgers:
        for kind, status in forger.statuses:
            if 200 <= status < 300 and kind not in ("replay", "another id"):
                yield f"a webhook with {kind} was taken"


def _stories(scenario: Scenario, observed: Observed) -> Iterator[str]:
    if not scenario.over:
        yield "somebody is still waiting for an answer"
    for follower in scenario.followers:
        followed: Any = follower.followed
        yield from followed.refused
        if not followed.whole:
            yield f"a client never saw the end of {followed.operation}"
        stored = [event["seq"] for event in observed.events[f"operations/{followed.operation}"]]
        if followed.seqs != stored[: len(followed.seqs)] or (followed.whole and followed.seqs != stored):
            yield f"a client of {followed.operation} saw {followed.seqs}, the log has {stored}"
