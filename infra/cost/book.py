"""The kept figures with their prices: what a scenario, a poll, a month costs, in one place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from infra.cost import billing
from infra.cost.billing import Machine, Unit
from infra.cost.stored import FIGURES, load, machine
from infra.cost.world import ROOT
from infra.local.functions.apps import read_manifest
from infra.local.prices import FREE, PRICES
from shared.contracts.manifest import Manifest, ScheduleTrigger

YEARS, INDEXES = 1, 3.0
"""What is stored is that of a year of typical months; with its indexes a document takes so many times its own size."""
BACKUPS = 30
"""Daily backups that production keeps."""
IMAGE_BYTES = 1.5e9
"""Images of all functions: 4.5 GB of packages unpacked, a third of it compressed. An estimate."""
TYPICAL: Mapping[str, int] = {
    "brain-day": 30,
    "research-5-early-wake": 8,
    "research-30-early-wake": 4,
    "research-120-early-wake": 1,
    "research-5-watched": 4,
    "agent-run": 8,
    "idle-month": 1,
}
"""A month of one person, in scenarios."""


@dataclass(frozen=True)
class Book:
    """Figures by scenario, and what they are priced with."""

    figures: Mapping[str, Any]
    manifest: Manifest
    machine: Machine

    def amounts(self, name: str) -> Counter[Unit]:
        return billing.amounts(self.figures[name], self.manifest, self.machine)

    def prices(self, name: str) -> dict[Unit, float]:
        return billing.priced(self.amounts(name))

    def platform(self, name: str) -> float:
        """List price of a scenario without models, in USD."""
        return billing.platform(self.prices(name))

    def models(self, name: str) -> float:
        return billing.models(self.prices(name))

    def steps(self, name: str) -> float:
        """Internal steps of workflows."""
        return self.amounts(name)["workflows", "internal_steps"]

    def polls(self, name: str) -> int:
        """How often a research run was looked at."""
        return int(self.figures[name]["requests"]["research/poll"]["count"])

    @cached_property
    def steps_a_poll(self) -> float:
        """From what a run of two hours takes more than one of half an hour; events cost no steps."""
        longer, shorter = "research-120", "research-30"
        return (self.steps(longer) - self.steps(shorter)) / (self.polls(longer) - self.polls(shorter))

    @cached_property
    def poll_usd(self) -> float:
        """A poll without its steps: the request, its time, what it reads of the operation."""
        row = self.figures["research-120"]["requests"]["research/poll"]
        one = {name: amount / row["count"] for name, amount in row.items()}
        figures = {"units": {"firestore.document_reads": one["reads"]}, "requests": {"research/poll": one}}
        return billing.platform(billing.priced(billing.amounts(figures, self.manifest, self.machine)))

    def month(self, times: Mapping[str, int] = TYPICAL) -> Counter[Unit]:
        """So many of each scenario, and what lies ready."""
        found = self.ready()
        for name, number in times.items():
            for unit, amount in self.amounts(name).items():
                found[unit] += amount * number
        return found

    def ready(self) -> Counter[Unit]:
        """What is paid for without being used, but for what is stored: jobs of the scheduler, secrets, images."""
        jobs = sum(isinstance(row.trigger, ScheduleTrigger) for row in self.manifest.functions)
        return Counter(
            {
                ("scheduler", "job_months"): jobs,
                ("secretmanager", "version_months"): len(billing.SECRETS),
                ("registry", "stored_byte_months"): IMAGE_BYTES,
            }
        )

    def stored(self, times: Mapping[str, int] = TYPICAL) -> Counter[Unit]:
        """What a year of such months leaves, for one month."""
        found: Counter[Unit] = Counter()
        for name, number in times.items():
            for unit, amount in billing.stored(self.figures[name]).items():
                found[unit] += amount * number * 12 * YEARS  # type: ignore[assignment]
        found["firestore", "stored_byte_months"] *= INDEXES  # type: ignore[assignment]
        found["firestore", "backup_byte_months"] = found["firestore", "stored_byte_months"] * BACKUPS
        return found

    @cached_property
    def alerts(self) -> int:
        """Conditions of alert policies."""
        path = ROOT / "infra" / "terraform" / "modules" / "watching" / "alerts.json"
        return len(json.loads(path.read_text(encoding="utf-8")))


def book() -> Book:
    """Of the figures that are kept."""
    return Book(load(FIGURES), read_manifest(ROOT), machine())


def share_of_free(found: Mapping[Unit, float], unit: Unit) -> float:
    """Which part of a month's free tier is used, 1 being all of it."""
    return found[unit] / FREE[unit]


def price(service: str, unit: str) -> float:
    """USD for one."""
    return PRICES[service, unit].of(1)
