"""What the manifest gives to each function."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from infra.local.eventarc.patterns import matches
from shared.config import Settings
from shared.contracts.manifest import FirestoreTrigger, Manifest

ROOT = Path(__file__).parents[2]
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))


@pytest.mark.parametrize("name", ["api", "reconcile", "research"])
def test_who_may_have_to_cancel_a_paid_run_has_the_key_for_it(name: str) -> None:
    assert "GEMINI_API_KEY" in MANIFEST.function(name).secrets


@pytest.mark.parametrize("name", ["api", "chat", "turn", "enrich", "routine", "reconcile"])
def test_who_asks_a_model_has_the_key_of_either_service(name: str) -> None:
    assert {"GEMINI_API_KEY", "MODEL_API_KEY"} <= set(MANIFEST.function(name).secrets)


def test_a_secret_of_a_function_is_a_secret_setting() -> None:
    known = {item.metadata["env"] for item in fields(Settings) if item.metadata["secret"]}
    assert {secret for row in MANIFEST.functions for secret in row.secrets} <= known


def test_who_answers_people_knows_their_tokens_and_nobody_else_does() -> None:
    for row in MANIFEST.functions:
        people = row.invoker == "public" and row.name != "webhook"  # that one answers the research service
        assert ("API_TOKENS" in row.secrets) is people, row.name


@pytest.mark.parametrize("stream", ["operations/o1", "agent_runs/r1", "agent_runs/r1/steps/s1", "brain/committer"])
def test_the_events_of_every_stream_are_told_to_the_world(stream: str) -> None:
    trigger = MANIFEST.function("trace-fanout").trigger
    assert isinstance(trigger, FirestoreTrigger)
    assert matches(trigger.document, f"workspaces/demo/{stream}/events/00000001")
    assert not matches(trigger.document, f"workspaces/demo/{stream}")


@pytest.mark.parametrize("name", ["on-note-written", "on-turn-created", "on-work-created", "trace-fanout"])
def test_who_only_starts_or_tells_holds_no_key(name: str) -> None:
    assert MANIFEST.function(name).secrets == ()


def test_research_holds_the_keys_of_its_service_and_of_the_models_that_may_stand_in() -> None:
    assert set(MANIFEST.function("research").secrets) == {"GEMINI_API_KEY", "MODEL_API_KEY"}
