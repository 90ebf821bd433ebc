"""What goes wrong, and when: each kind of fault from random numbers of its own, so that any can be left out."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from infra.sim.hub import Hub

KINDS: Final = (
    "duplicate",
    "drop",
    "lost",
    "delay",
    "crash",
    "zombie",
    "service",
    "contention",
    "client",
    "outage",
    "skew",
    "deploy",
)
DEPLOY_KEY: Final = "deploy#1"
OUTAGES: Final = ("workflows", "pubsub", "aiplatform", "firestore", "functions")
_RATES: Final = {
    "duplicate": 0.06,
    "drop": 0.015,
    "lost": 0.015,
    "delay": 0.03,
    "crash": 0.004,
    "zombie": 0.002,
    "service": 0.08,
    "contention": 0.015,
    "client": 0.15,
}
"""How often at one of its places, before the seed's own factor."""


@dataclass(frozen=True)
class Fault:
    """One thing that went wrong. `key` names it among those of its seed."""

    key: str
    seconds: float
    where: str

    @property
    def kind(self) -> str:
        return self.key.partition("#")[0]


@dataclass(frozen=True)
class Plan:
    """Which faults a world has: `kinds` None means what the seed chooses; `left_out` are keys of single faults."""

    seed: int
    kinds: frozenset[str] | None = None
    left_out: frozenset[str] = frozenset()
    heal_at: float = 1_800.0
    intensity: float = 1.0
    """What every rate is multiplied by."""


@dataclass(frozen=True)
class Outage:
    """A service that is away."""

    key: str
    service: str
    begin: float
    end: float


@dataclass(frozen=True)
class Deploy:
    """A new version that replaces the earlier one; in between, each new instance has the earlier by this share."""

    begin: float
    end: float
    share: float
    workflow_at: float
    """When new executions get the new workflow; those under way keep the earlier one."""

    def is_earlier(self, now: float, chance: random.Random) -> bool:
        """Whether a request goes to the earlier version."""
        return now < self.begin or (now < self.end and chance.random() < self.share)


class Weather:
    """Asked at every place where something can go wrong; after `heal_at` nothing does."""

    def __init__(self, hub: Hub, plan: Plan) -> None:
        self._hub, self.plan = hub, plan
        chance = random.Random(f"weather/{plan.seed}")
        chosen = frozenset(kind for kind in KINDS if chance.random() < 0.45)
        self.kinds = chosen if plan.kinds is None else plan.kinds
        self._factors = {kind: chance.choice((0.3, 1.0, 1.0, 2.5)) for kind in KINDS}
        self._draws = {kind: random.Random(f"{kind}/{plan.seed}") for kind in KINDS}
        self._counts = dict.fromkeys(KINDS, 0)
        self.faults: list[Fault] = []
        self.heard: Callable[[Fault], None] = lambda _fault: None
        """Called with each fault, by the task that it meets."""
        self.outages = self._planned_outages()
        self.deploy = self._planned_deploy()
        self._aborts = 0
        self._both = False

    def happens(self, kind: str, where: str, weight: float = 1.0) -> random.Random | None:
        """Whether this fault meets this place now; if so, the random numbers for its details."""
        if kind not in self.kinds or self._hub.seconds >= self.plan.heal_at:
            return None
        self._counts[kind] += 1
        if self._draws[kind].random() >= _RATES[kind] * self._factors[kind] * weight * self.plan.intensity:
            return None
        key = f"{kind}#{self._counts[kind]}"
        if key in self.plan.left_out:
            return None
        self.record(key, where)
        return random.Random(f"{key}/{self.plan.seed}")

    def record(self, key: str, where: str) -> None:
        fault = Fault(key, self._hub.seconds, where)
        self.faults.append(fault)
        self._hub.note(f"fault {key} {where}")
        self.heard(fault)

    def is_out(self, service: str, where: str) -> bool:
        """Whether the service is away; counts whom it met."""
        now = self._hub.seconds
        for outage in self.outages:
            if outage.service == service and outage.begin <= now < outage.end:
                self.record(outage.key, where)
                return True
        return False

    def aborts(self, where: str) -> bool:
        """Whether a commit is aborted: once it begins, up to ten in a row are."""
        if self._aborts == 0 and (chance := self.happens("contention", where)):
            self._aborts = chance.randint(1, 10)
        if self._aborts and self._hub.seconds < self.plan.heal_at:
            self._aborts -= 1
            return True
        return False

    def serves_earlier(self, chance: random.Random, where: str) -> bool:
        """Whether a request is served by code of the earlier version; recorded once, while both versions serve."""
        deploy, now = self.deploy, self._hub.seconds
        if deploy is None or not deploy.is_earlier(now, chance):
            return False
        if now >= deploy.begin and not self._both:
            self._both = True
            self.record(DEPLOY_KEY, where)
        return True

    def skew(self, name: str) -> float:
        """How wrong the clock of an instance is, in seconds."""
        if "skew" not in self.kinds or f"skew#{name}" in self.plan.left_out:
            return 0.0
        return random.Random(f"skew/{self.plan.seed}/{name}").uniform(-30.0, 30.0)

    def _planned_outages(self) -> list[Outage]:
        if "outage" not in self.kinds:
            return []
        chance = random.Random(f"outage/{self.plan.seed}")
        planned = []
        for n in range(1, chance.randint(1, 4) + 1):
            service, begin = chance.choice(OUTAGES), chance.uniform(0.0, self.plan.heal_at - 600.0)
            outage = Outage(f"outage#{n}", service, begin, begin + chance.uniform(10.0, 600.0))
            if outage.key not in self.plan.left_out:
                planned.append(outage)
        return planned

    def _planned_deploy(self) -> Deploy | None:
        if "deploy" not in self.kinds or DEPLOY_KEY in self.plan.left_out:
            return None
        chance = random.Random(f"deploy/{self.plan.seed}")
        begin = chance.uniform(0.0, self.plan.heal_at / 2)
        end = begin + chance.uniform(30.0, self.plan.heal_at / 2)
        return Deploy(begin, end, chance.uniform(0.2, 0.8), chance.uniform(begin, end))
