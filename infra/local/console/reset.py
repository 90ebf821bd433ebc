"""Wiping the local cloud while it runs: all of it, or parts by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response

from infra.local.console.answers import Refusal, body, reader, say, wanted
from infra.local.eventarc.part import EventarcPart
from infra.local.services import Services

ABOUT = {
    "workflows": "every execution; those under way are cancelled first",
    "pubsub": "every message, and the topics and subscriptions that the manifest did not make",
    "aiplatform": "every interaction, script, call and redirect of the emulated model",
    "sessions": "every session of the emulated reasoning engines",
    "firestore": "every document of every database but what a start puts there, and the deliveries; no function is "
    "called for it",
    "deliveries": "every delivery, and what has changed without being delivered yet",
    "bill": "the counts",
    "faults": "the faults that are active",
}
"""In the order in which they are wiped: what acts on the others first."""


@dataclass(frozen=True)
class Reset:
    """GET /_cloud/reset says what there is, POST wipes. `topics` are the full names of the manifest's."""

    services: Services
    eventarc: EventarcPart
    topics: frozenset[str]
    forget_bill: Callable[[], int]
    clear_faults: Callable[[], None]
    seed: Callable[[], None]

    def register(self, pages: Blueprint) -> None:
        """The address of the reset."""
        reader(pages, "/reset", lambda: {"parts": ABOUT})
        pages.add_url_rule("/reset", "wipe", self.answer, methods=["POST"])

    def answer(self) -> Response:
        """{"parts": ["all"]} or some of them by name; how much was wiped, by part."""
        parts = wanted(body(), "parts", list)
        unknown = [part for part in parts if part not in (*ABOUT, "all")]
        if unknown or not parts:
            raise Refusal(400, f'parts must be ["all"] or some of {", ".join(ABOUT)}.', "parts")
        return say({"wiped": self.wipe(set(ABOUT) if "all" in parts else set(parts))})

    def wipe(self, parts: set[str]) -> dict[str, Any]:
        """Wipe these parts. What the product does meanwhile belongs to the time after."""
        services = self.services
        ways: dict[str, Callable[[], Any]] = {
            "workflows": services.workflows.api.wipe,
            "pubsub": lambda: services.pubsub.wipe(self.topics),
            "aiplatform": services.aiplatform.wipe,
            "sessions": services.reasoning_engines.wipe,
            "firestore": self._wipe_documents,
            "deliveries": lambda: None,
            "bill": self.forget_bill,
            "faults": self.clear_faults,
        }
        with ExitStack() as quiet:
            if parts & {"firestore", "deliveries"}:
                quiet.enter_context(self.eventarc.forgetting(services.firestore.changes.last_seq))
            return {name: ways[name]() for name in ABOUT if name in parts}

    def _wipe_documents(self) -> int:
        wiped = self.services.firestore.inside.wipe()
        self.seed()
        return wiped
