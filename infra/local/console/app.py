"""The console put together. To be imported once the services are: it uses their packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Blueprint

from infra.local.console import answers, files, safety
from infra.local.console.deliveries import Deliveries, Jobs
from infra.local.console.documents import Browser
from infra.local.console.executions import Executions
from infra.local.console.messages import Messages
from infra.local.console.overview import Overview
from infra.local.console.reset import Reset
from infra.local.console.switches import BillSheet, FaultSwitches
from infra.local.environment import Place
from infra.local.seams import Seams
from infra.local.services import Services
from infra.local.triggers import Triggers
from shared.contracts.manifest import Manifest


class Section(Protocol):
    """A part of the console; it adds its addresses."""

    def register(self, pages: Blueprint) -> None: ...


@dataclass(frozen=True)
class Parts:
    """What the console shows. `save_bill` writes the counts to disk, `seed` what is there before anyone writes."""

    place: Place
    manifest: Manifest
    seams: Seams
    services: Services
    triggers: Triggers
    health: Callable[[], dict[str, Any]]
    save_bill: Callable[[], None]
    seed: Callable[[], None]


def console(parts: Parts) -> Blueprint:
    """Everything at /_cloud."""
    return blueprint(_sections(parts))


def blueprint(sections: Iterable[Section]) -> Blueprint:
    """The page and these sections, protected."""
    pages = Blueprint("cloud", __name__, url_prefix="/_cloud")
    safety.protect(pages)
    answers.install(pages)
    files.register(pages)
    for section in sections:
        section.register(pages)
    return pages


def _sections(parts: Parts) -> list[Section]:
    seams, services, triggers, place = parts.seams, parts.services, parts.triggers, parts.place
    sheet = BillSheet(seams.meter, parts.save_bill)
    topics = frozenset(f"projects/{place.project}/topics/{row.name}" for row in parts.manifest.topics)
    return [
        Overview(place, parts.manifest, seams, services, triggers, parts.health),
        Browser(services.firestore.inside, place.project),
        Messages(services.pubsub.inside, seams.clock),
        Executions(services.workflows.api, place, seams.clock),
        Deliveries(triggers.eventarc),
        Jobs(triggers.scheduler),
        FaultSwitches(seams.faults),
        sheet,
        Reset(services, triggers.eventarc, topics, sheet.forget, seams.faults.clear, parts.seed),
    ]
