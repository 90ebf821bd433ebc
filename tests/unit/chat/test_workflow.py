"""workflows/turn.yaml against what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infra.local.functions.apps import read_manifest
from shared.config import Settings

ROOT = Path(__file__).parents[3]
SOURCE = yaml.safe_load((ROOT / "workflows" / "turn.yaml").read_text())
RESEARCH = yaml.safe_load((ROOT / "workflows" / "research.yaml").read_text())


def post(source: Any) -> Any:
    [step, _answer] = source["ask"]["steps"]
    return step["post"]


def test_it_retries_as_the_other_workflow_does() -> None:
    assert post(SOURCE)["retry"] == post(RESEARCH)["retry"]
    assert SOURCE["may_succeed_later"] == RESEARCH["may_succeed_later"]


def test_a_call_is_not_repeated_while_the_function_may_still_work() -> None:
    assert post(SOURCE)["try"]["args"]["timeout"] > read_manifest(ROOT).function("turn").timeout_seconds


def test_a_turn_ends_by_itself_before_the_function_is_ended() -> None:
    """With the model's last answer, which may take its own time."""
    for name in ("chat", "turn"):
        assert Settings(project="p").chat_max_seconds + 120 < read_manifest(ROOT).function(name).timeout_seconds


def test_the_chat_has_a_thread_for_each_stream_and_for_requests() -> None:
    from shared.trace.gate import STREAMS_PER_INSTANCE

    row = read_manifest(ROOT).function("chat")
    assert row.threads > STREAMS_PER_INSTANCE and row.concurrency <= row.threads
