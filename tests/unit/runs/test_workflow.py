"""workflows/agent_run.yaml against what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infra.local.functions.apps import read_manifest
from shared.config import Settings

ROOT = Path(__file__).parents[3]
SOURCE = yaml.safe_load((ROOT / "workflows" / "agent_run.yaml").read_text())
RESEARCH = yaml.safe_load((ROOT / "workflows" / "research.yaml").read_text())
GIVING_BACK_SECONDS = 60


def post(source: Any) -> Any:
    [step, _answer] = source["ask"]["steps"]
    return step["post"]


def test_it_retries_as_the_other_workflows_do() -> None:
    assert post(SOURCE)["retry"] == post(RESEARCH)["retry"]
    assert SOURCE["may_succeed_later"] == RESEARCH["may_succeed_later"]


def test_a_call_is_not_repeated_while_the_function_may_still_work() -> None:
    assert post(SOURCE)["try"]["args"]["timeout"] > read_manifest(ROOT).function("agent").timeout_seconds


def test_a_step_gives_its_lane_back_before_the_function_is_ended() -> None:
    seconds = Settings(project="p").run_request_seconds
    assert seconds + GIVING_BACK_SECONDS < read_manifest(ROOT).function("agent").timeout_seconds


def test_it_holds_no_plan_and_no_content() -> None:
    text = (ROOT / "workflows" / "agent_run.yaml").read_text()
    code = "\n".join(line for line in text.splitlines() if not line.strip().startswith("#"))
    assert not [word for word in ("goal", "title", "summary", "depends_on") if word in code]
