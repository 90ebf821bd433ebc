"""What the manifest gives to each function."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from shared.contracts.manifest import Manifest

ROOT = Path(__file__).parents[2]
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))


@pytest.mark.parametrize("name", ["api", "reconcile", "research"])
def test_who_may_have_to_cancel_a_paid_run_has_the_key_for_it(name: str) -> None:
    assert "GEMINI_API_KEY" in MANIFEST.function(name).secrets


@pytest.mark.parametrize("name", ["api", "chat", "turn", "enrich", "routine", "reconcile"])
def test_who_asks_a_model_has_the_key_of_either_service(name: str) -> None:
    assert {"GEMINI_API_KEY", "MODEL_API_KEY"} <= set(MANIFEST.function(name).secrets)
