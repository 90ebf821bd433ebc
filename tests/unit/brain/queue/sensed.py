"""Agents that take what the senses give, and do nothing with it."""

from __future__ import annotations

from dataclasses import replace

from shared.contracts.base import Model
from tests.unit.brain.queue.world import scripted


class Anything(Model):
    """What any of the senses may give."""

    source: dict[str, str | None] = {}
    revision: str = ""
    forget: dict[str, str] = {}
    document_id: str = ""


SENSES = tuple(
    replace(scripted(name), input=Anything, idempotency_key=lambda given: given.model_dump_json())
    for name in ("cognitive_extractor", "committer", "source_chunker")
)
