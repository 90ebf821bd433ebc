"""Services, ports and functions, and one small summary that is cheap to ask for every other second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint

from infra.local.bill import bill_of
from infra.local.console.answers import reader
from infra.local.environment import Place
from infra.local.seams import Seams
from infra.local.services import Services
from infra.local.triggers import Triggers
from shared.contracts.manifest import (
    FirestoreTrigger,
    FunctionRow,
    HttpTrigger,
    Manifest,
    PubSubTrigger,
    ScheduleTrigger,
)

SPEAKS = (
    ("firestore", "gRPC google.firestore.v1", "FIRESTORE_EMULATOR_HOST"),
    ("pubsub", "gRPC google.pubsub.v1", "PUBSUB_EMULATOR_HOST"),
    ("workflows", "gRPC and REST workflowexecutions v1", "WORKFLOWS_ENDPOINT"),
    ("aiplatform", "REST Gemini and Vertex AI, emulated", ""),
    ("functions", "HTTP, Cloud Run in front of functions-framework", ""),
)


@dataclass(frozen=True)
class Overview:
    """GET /_cloud/health, /_cloud/services and /_cloud/summary."""

    place: Place
    manifest: Manifest
    seams: Seams
    services: Services
    triggers: Triggers
    health: Callable[[], dict[str, Any]]

    def register(self, pages: Blueprint) -> None:
        """The addresses of the overview."""
        reader(pages, "/health", self.health)
        reader(pages, "/services", self.report)
        reader(pages, "/summary", self.summary)

    def report(self) -> dict[str, Any]:
        """Every service with its address, every function with its state and what calls it."""
        health, out = self.health(), self.seams.faults.active()["outages"]
        return {
            "status": health["status"],
            "project": self.place.project,
            "location": self.place.location,
            "data": health["data"],
            "host": health["host"],
            "services": [
                {
                    "name": name,
                    "speaks": speaks,
                    "address": self._address(name),
                    "variable": variable,
                    "out_seconds": out.get(name),
                }
                for name, speaks, variable in SPEAKS
            ],
            "functions": [self._function(row, health["functions"]) for row in self.manifest.functions],
        }

    def summary(self) -> dict[str, Any]:
        """Counts for a first look; "change" moves with every commit of a document."""
        states: dict[str, int] = {}
        for counts in self.triggers.eventarc.counts().values():
            for state, count in counts.items():
                kind = state.partition(":")[0]
                states[kind] = states.get(kind, 0) + count
        active = self.seams.faults.active()
        return {
            "change": self.services.firestore.inside.last_change(),
            "backlog": sum(self.services.pubsub.backlog().values()),
            "executions": self.services.workflows.api.active(),
            "pending": states.get("pending", 0),
            "dropped": states.get("dropped", 0),
            "faults": sum(map(len, active.values())),
            "total_usd": bill_of(self.seams.meter.totals()).total_usd,
        }

    def _address(self, name: str) -> str:
        return self.place.http if name in ("aiplatform", "functions") else self.place.grpc

    def _function(self, row: FunctionRow, states: dict[str, str]) -> dict[str, Any]:
        return {
            "name": row.name,
            "state": states.get(row.name, "off"),
            "invoker": row.invoker,
            "called_by": _called_by(row),
            "url": self.place.function_url.replace("{name}", row.name),
        }


def _called_by(row: FunctionRow) -> str:
    trigger = row.trigger
    if isinstance(trigger, FirestoreTrigger):
        return f"documents {trigger.event.rpartition('.')[2]}: {trigger.document}"
    if isinstance(trigger, PubSubTrigger):
        return f"messages of {trigger.topic}"
    if isinstance(trigger, ScheduleTrigger):
        return f"the clock: {trigger.cron}"
    assert isinstance(trigger, HttpTrigger)
    return ", ".join(trigger.routes) or ", ".join(row.callers)
