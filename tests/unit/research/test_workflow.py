"""workflows/research.yaml against what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infra.local.functions.apps import read_manifest

ROOT = Path(__file__).parents[3]
SOURCE = yaml.safe_load((ROOT / "workflows" / "research.yaml").read_text())


def post() -> Any:
    [step, _answer] = SOURCE["ask"]["steps"]
    return step["post"]


def test_the_one_retry_policy_lasts_ten_minutes_and_more() -> None:
    retry = post()["retry"]
    delay, total = float(retry["backoff"]["initial_delay"]), 0.0
    for _ in range(retry["max_retries"]):
        total += delay
        delay = min(delay * retry["backoff"]["multiplier"], retry["backoff"]["max_delay"])
    assert total >= 600
    assert str(SOURCE).count("'retry'") == 1


def test_a_call_is_not_repeated_while_the_function_may_still_work() -> None:
    manifest = read_manifest(ROOT)
    assert post()["try"]["args"]["timeout"] > manifest.function("research").timeout_seconds


def test_every_call_names_the_functions_address_as_audience() -> None:
    auth = post()["try"]["args"]["auth"]
    assert (auth["type"], auth["audience"]) == ("OIDC", '${sys.get_env("RESEARCH_URL")}')
