"""Flow 1 as it is lived: some notes, tagged and untagged, edited, cancelled, started by hand, followed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from infra.local.aiplatform.script import Script
from infra.sim.follower import Follower
from infra.sim.hub import Task
from infra.sim.people import Person, begin
from infra.sim.watch import Watch
from infra.sim.webhooks import Forger
from infra.sim.world import DEADLINE_SECONDS, World

BACKGROUND = (
    (
        "Cold retard log",
        "The dough with rye rested 14 hours in the fridge at 4 degrees. The cold slows the yeast more than the "
        "bacteria, so the crumb came out sour and the crust blistered.",
    ),
    ("Rye in sourdough", "Rye ferments faster than wheat. A sourdough with rye should rest shorter in the warmth."),
)
QUESTION = "How long should a sourdough with rye rest in the fridge, and what does the cold do to the crumb?"
LAST_ACT = 1_500.0
"""People have done what they do before faults end."""


class Scenario:
    """What happens in one world, chosen by its seed."""

    def __init__(self, world: World, watch: Watch) -> None:
        self.world, self.watch, self._hub = world, watch, world.hub
        self._chance = random.Random(f"scenario/{world.plan.seed}")
        self.people: list[Person] = []
        self.followers: list[Follower] = []
        self.forgers: list[Forger] = []
        self._busy = 0

    @property
    def over(self) -> bool:
        """Whether everybody has done what they wanted to."""
        return self._busy == 0

    def begin(self) -> None:
        """Set the scene, and everybody going."""
        self._script()
        self.world.stood_still = self._impatience
        self.do("somebody", self.background)
        for n in range(1, self._chance.choice((1, 1, 2, 3)) + 1):
            self.do(f"person {n}", lambda n=n: self._story(n))  # type: ignore[misc]
        if self._chance.random() < 0.3:
            self.do("page", self._page)
        if self._chance.random() < 0.3:
            self.do("forger", self._forge)

    def do(self, name: str, act: Callable[[], None]) -> None:
        self._busy += 1

        def run() -> None:
            act()
            self._busy -= 1

        begin(self._hub, name, run)

    def background(self) -> None:
        person = self.person("somebody")
        for n, (title, body) in enumerate(BACKGROUND):
            person.write_directly(f"background-{n}", title, body)

    def person(self, name: str) -> Person:
        person = Person(self.world, name)
        self.people.append(person)
        return person

    def _script(self) -> None:
        """How the first paid runs go; those after them complete."""
        platform = self.world.services.aiplatform
        late = DEADLINE_SECONDS + 600.0
        for _ in range(self._chance.choice((0, 1, 2, 3))):
            seconds = self._chance.choice((20.0, 90.0, 200.0))
            platform.script_interaction(
                self._chance.choice(
                    (
                        Script(run_seconds=seconds),
                        Script(run_seconds=seconds),
                        Script(run_seconds=seconds, errors=({"code": "13", "message": "internal"},)),
                        Script(run_seconds=seconds, errors=({"code": "3", "message": "no"},)),
                        Script(run_seconds=seconds, statuses=((0.0, "in_progress"), (seconds, "incomplete"))),
                        Script(
                            run_seconds=seconds, statuses=((0.0, "queued"), (5.0, "dreaming"), (seconds, "completed"))
                        ),
                        Script(run_seconds=300.0, statuses=((0.0, "in_progress"), (late, "completed"))),
                    )
                )
            )

    def _story(self, number: int) -> None:
        person = self.person(f"person {number}")
        person.wait()
        tags = ("research",) if person.chance.random() < 0.6 else ()
        if person.chance.random() < 0.7:
            note = person.write(f"Question {number}", QUESTION, *tags)
        else:
            note = person.write_directly(f"direct-{number}", f"Question {number}", QUESTION, *tags)
        if not note:
            return
        for _ in range(person.chance.choice((0, 1, 1, 2, 4))):
            person.wait()
            if self._hub.seconds > LAST_ACT:
                return
            self._act(person, note)
        if not tags:
            person.tag(note, on=True)

    def _act(self, person: Person, note: str) -> None:
        act = person.chance.choice(
            ("tag", "untag", "again", "edit", "cancel", "cancel", "hand", "end", "end", "delete")
        )
        if act in ("tag", "untag"):
            person.tag(note, on=act == "tag")
        elif act == "again":
            person.tag(note, on=False)
            if person.chance.random() < 0.5:
                person.wait()
            person.tag(note, on=True)
        elif act == "edit":
            person.edit(note)
        elif act == "cancel":
            for operation in person.operations(note)[:1]:
                person.cancel(operation["id"])
        elif act == "end":
            for operation in person.operations(note)[:1]:
                if operation["execution"]:
                    person.end_execution(operation["execution"])
        elif act == "hand":
            person.start_by_hand(note)
        else:
            person.delete(note)

    def _impatience(self, task: Task, chance: random.Random) -> None:
        """Half of the executions whose call hangs are ended at the console, so that another takes over beside it."""
        request = task.marks["request"]
        if not task.name.startswith("research#") or chance.random() < 0.5:
            return
        operation, wait = json.loads(request.body).get("operation_id"), chance.uniform(1.0, 60.0)

        def end() -> None:
            self._hub.sleep(wait)
            seen = self.watch.observed.operations.get(operation)
            if seen is not None and seen.running and seen.fields.get("execution"):
                self.person("impatient").end_execution(seen.fields["execution"])

        self.do("impatient", end)

    def _forge(self) -> None:
        """Somebody tries to have runs looked at: some of ours, whose ids he was told, and some of nobody's."""
        forger = Forger(self.world.webhooks, lambda: self._hub.now().timestamp(), self._chance)
        self.forgers.append(forger)
        for _ in range(self._chance.randint(1, 8)):
            self._hub.sleep(self._chance.uniform(0.0, 200.0))
            known = [run for seen in self.watch.observed.operations.values() for run in seen.runs]
            forger.forge(self._chance.choice([*known, "v1_nobodys"]))

    def _page(self) -> None:
        """Open the first operation that comes, and stay."""
        while self._hub.seconds < LAST_ACT and not self.watch.observed.operations:
            self._hub.sleep(5.0)
        for name in list(self.watch.observed.operations)[:1]:
            self._hub.sleep(self._chance.choice((0.0, 0.0, 30.0, 300.0)))
            follower = Follower(self.world, name, "page")
            self.followers.append(follower)
            follower.follow()
