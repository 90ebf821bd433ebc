"""Small fixed stories without chance, which together come by every fault point of flow 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from infra.local.aiplatform.script import HttpFailure, Script
from infra.sim.people import Person
from infra.sim.scenario import QUESTION, Scenario
from infra.sim.watch import Watch
from infra.sim.weather import Outage
from infra.sim.world import World

_LOOKS = 200
Story = Callable[[Scenario, Person], None]


class Fixed(Scenario):
    """A scenario that is one story."""

    def __init__(self, world: World, watch: Watch, story: Story) -> None:
        super().__init__(world, watch)
        self._told = story

    def begin(self) -> None:
        self.do("somebody", self.background)
        self.do("reader", lambda: self._told(self, self.person("reader")))


def _write(person: Person, *tags: str) -> str:
    person.hub.sleep(5.0)
    return person.write("How long should it rest?", QUESTION, *tags)


def _research(_scenario: Scenario, person: Person) -> None:
    """A note with the tag, and its report."""
    _write(person, "research")


def _cancel(_scenario: Scenario, person: Person) -> None:
    """Cancelled while it runs; tagged anew later."""
    note = _write(person, "research")
    person.hub.sleep(20.0)
    for operation in person.operations(note)[:1]:
        person.ask("POST", f"/operations/{operation['id']}/cancel")
    person.hub.sleep(20.0)
    person.ask("PATCH", f"/notes/{note}", {"remove_tags": ["research"]})
    person.hub.sleep(1.0)
    person.ask("PATCH", f"/notes/{note}", {"add_tags": ["research"]})


def _bad_service(scenario: Scenario, person: Person) -> None:
    """The create is refused and then lost, a poll is answered with an error, the run fails at its report."""
    failures = (HttpFailure(503), HttpFailure(429))
    errors = ({"code": "13", "message": "internal"},)
    scenario.world.services.aiplatform.script_interaction(
        Script(run_seconds=20.0, create_failures=failures, get_failures=(HttpFailure(500),), errors=errors)
    )
    _write(person, "research")


def _tagged_again(_scenario: Scenario, person: Person) -> None:
    """Off and on while it runs: the running operation is told; edits do nothing."""
    note = _write(person, "research")
    person.hub.sleep(15.0)
    person._directly(note, {"tags": []})
    person.hub.sleep(5.0)
    person._directly(note, {"tags": ["research"]})
    person.hub.sleep(5.0)
    person.ask("PATCH", f"/notes/{note}", {"title": "Another title"})


def _by_hand(_scenario: Scenario, person: Person) -> None:
    """The workflow started for a note, its execution ended at the console, the note deleted in the end."""
    note = _write(person)
    person.start_by_hand(note)
    person.hub.sleep(20.0)
    for operation in person.operations(note)[:1]:
        person.end_execution(operation["execution"])
    person.hub.sleep(700.0)
    person.ask("DELETE", f"/notes/{note}")


def _direct(_scenario: Scenario, person: Person) -> None:
    """A note written past the API, with fields missing."""
    person.hub.sleep(5.0)
    person.write_directly("direct", "", QUESTION, "research")


def _workflows_away(scenario: Scenario, person: Person) -> None:
    """Nothing can be started for a minute."""
    scenario.world.weather.outages.append(Outage("outage#1", "workflows", 0.0, 60.0))
    _write(person, "research")


def _functions_away(scenario: Scenario, person: Person) -> None:
    """The workflow cannot reach its function for longer than it tries: it gives up, and can say so."""
    scenario.world.weather.outages.append(Outage("outage#1", "functions", 15.0, 750.0))
    _write(person, "research")


def _long_run_ended(scenario: Scenario, person: Person) -> None:
    """A long run whose execution is ended at the console: the sweep has another take over."""
    scenario.world.services.aiplatform.script_interaction(Script(run_seconds=600.0))
    note = _write(person, "research")
    person.hub.sleep(20.0)
    for operation in person.operations(note)[:1]:
        person.end_execution(operation["execution"])


def _cancel_without_execution(_scenario: Scenario, person: Person) -> None:
    """The execution is ended at the console, then cancel is pressed, once."""
    note = _write(person, "research")
    person.hub.sleep(20.0)
    for operation in person.operations(note)[:1]:
        person.end_execution(operation["execution"])
        person.press_once(f"/operations/{operation['id']}/cancel")


def _planned(_scenario: Scenario, person: Person) -> None:
    """A plan first: one is edited and approved, the note of another loses its tag while it waits."""
    note = _write(person, "research:plan")
    for operation in _waiting(person, note):
        path = f"/operations/{operation['id']}"
        person.ask("PATCH", f"{path}/plan", {"text": "1. Ask the rye.", "revision": operation["plan"]["revision"]})
        for edited in _waiting(person, note):
            person.ask("POST", f"{path}/approve", {"revision": edited["plan"]["revision"]})
    other = person.write_directly("planned", "", QUESTION, "research:plan")
    for _ in _waiting(person, other):
        person._directly(other, {"tags": []})


def _waiting(person: Person, note: str) -> list[Mapping[str, Any]]:
    """The note's operation once its plan waits; none where it does not come to that."""
    for _ in range(_LOOKS):
        found = person.operations(note)[:1]
        if found and found[0]["status"] != "running":
            return [each for each in found if each["status"] == "awaiting_approval"]
        person.hub.sleep(10.0)
    return []


PLAYS: dict[str, Story] = {
    "research": _research,
    "cancel": _cancel,
    "bad service": _bad_service,
    "tagged again": _tagged_again,
    "by hand": _by_hand,
    "direct": _direct,
    "long run ended": _long_run_ended,
    "cancel without an execution": _cancel_without_execution,
    "workflows away": _workflows_away,
    "functions away": _functions_away,
    "planned": _planned,
}
