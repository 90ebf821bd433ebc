"""What is metered: each scenario begins in a workspace with a few notes, with every function cold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from infra.cost import scripts
from infra.cost.grown import grow
from infra.cost.world import TUESDAY, World

SCHEDULED = ("reconcile", "routine", "compact-traces")
"""What the scheduler calls: an idle month has it, so that scenarios leave it out."""
NIGHTLY = SCHEDULED[1:]
POLLING, EARLY_WAKE = {"RESEARCH_WEBHOOKS": "off"}, {"RESEARCH_WEBHOOKS": "on"}
ENDED = ("completed", "failed", "cancelled", "succeeded")
SUNDAY = TUESDAY + timedelta(days=5)
MINUTES = {5: 20, 30: 80, 120: 160}
"""Length of a research run to its searches: Google speaks of about 80, and of 160 for the thorough agent."""


def _nothing(_world: World) -> None:
    """Nobody does anything."""


@dataclass(frozen=True)
class Scenario:
    """`act` is metered, after `prepare`; of the functions that the scheduler calls only those of `scheduled`."""

    name: str
    what: str
    act: Callable[[World], None]
    prepare: Callable[[World], None] = _nothing
    scheduled: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=lambda: POLLING)
    start: datetime = TUESDAY


def _research(minutes: int, world: World) -> None:
    world.platform.script_interaction(scripts.research(minutes * 60.0, MINUTES[minutes]))
    world.write_note("Question", scripts.QUESTION, "research")
    _until_ended(world, "operations", timedelta(minutes=minutes + 10))


def _until_ended(world: World, collection: str, limit: timedelta) -> None:
    """Until whatever lies in a collection of the workspace has ended, as stored, and all that follows it."""
    inside, place = world.cloud.services.firestore.inside, world.cloud.place
    parent = f"projects/{place.project}/databases/(default)/documents/workspaces/{place.workspace}"

    def over() -> bool:
        found, _ = inside.page(parent, collection, 100, "")
        return bool(found) and all(one.fields["status"].string_value in ENDED for one in found)

    world.until(over, limit)
    world.settle()


def _watched(world: World) -> None:
    world.platform.script_interaction(scripts.research(300.0, MINUTES[5]))
    world.write_note("Question", scripts.QUESTION, "research")
    world.pass_time(timedelta(seconds=10))
    (operation,) = world.request("GET", "/api/v1/operations").json()["operations"]
    world.request("GET", f"/api/v1/operations/{operation['id']}/events", headers={"Accept": "text/event-stream"})
    _until_ended(world, "operations", timedelta(minutes=15))


def _begin_session(world: World) -> str:
    return str(world.request("POST", "/api/v1/chat/sessions", json={}).json()["session"]["id"])


def _turn(world: World) -> None:
    session = _begin_session(world)
    world.platform.script_model(*scripts.chat_turn())
    world.request("POST", f"/api/v1/chat/sessions/{session}/messages", json={"text": scripts.ASKED})
    world.pass_time(timedelta(minutes=15))


def _run(world: World) -> None:
    world.platform.script_model(*scripts.five_steps())
    world.request("POST", "/api/v1/agent_runs", json={"goal": scripts.GOAL})
    _until_ended(world, "agent_runs", timedelta(minutes=40))


def _day(world: World) -> None:
    """A note and a turn every hour for ten hours, in two sessions; then the night."""
    sessions = [_begin_session(world), _begin_session(world)]
    for hour, (note, said) in enumerate(zip(scripts.THOUGHTS, scripts.SAID, strict=True)):
        world.write_note("", note)
        world.pass_time(timedelta(minutes=30))
        world.request("POST", f"/api/v1/chat/sessions/{sessions[hour // 5]}/messages", json={"text": said})
        world.pass_time(timedelta(minutes=30))
    world.pass_time(timedelta(hours=14))


def _night(world: World) -> None:
    """What was written on a Sunday is told of in the morning, day and week; after that there is nothing to tell."""
    world.pass_time(timedelta(days=1))


def _idle(days: int, world: World) -> None:
    world.pass_time(timedelta(days=days))


def idle(name: str, days: int) -> Scenario:
    """So many days without anybody, of a workspace with a few notes."""
    return Scenario(name, f"{days} days without anybody", partial(_idle, days), _night, SCHEDULED, start=SUNDAY)


def _researches() -> tuple[Scenario, ...]:
    found = []
    for minutes, searches in MINUTES.items():
        what, act = f"a tagged note, {minutes} minutes and {searches} searches, its report", partial(_research, minutes)
        found += [
            Scenario(f"research-{minutes}", what, act),
            Scenario(
                f"research-{minutes}-early-wake", f"{what}; the service tells of the end", act, settings=EARLY_WAKE
            ),
        ]
    return tuple(found)


SCENARIOS = (
    *_researches(),
    Scenario("research-5-watched", "five minutes of research with the page open on its progress", _watched),
    Scenario("chat-turn", "a session, a message, a search of the notes, an answer of some 200 tokens", _turn),
    Scenario("agent-run", "a goal, a plan of five steps, two of them side by side, a note with its sources", _run),
    Scenario("brain-day", "ten notes, ten chat turns, what is remembered of them, the night", _day, scheduled=NIGHTLY),
    idle("idle-month", 30),
    Scenario("idle-day-1000", "a day without anybody, a thousand notes", partial(_idle, 1), grow, SCHEDULED),
    Scenario(
        "idle-day-1000-unrested",
        "the same with a sweep that never rests",
        partial(_idle, 1),
        grow,
        SCHEDULED,
        {**POLLING, "SWEEP_REST_SECONDS": "0"},
    ),
)
