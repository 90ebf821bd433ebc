"""Gates: what a script holds stands still until it is let go, however long that takes, and then goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infra.local.aiplatform.model_script import ModelScript, hold, say
from infra.local.aiplatform.script import Script
from infra.local.clock import VirtualClock
from shared.gateway.transport import Cut, TransportError
from shared.llm.port import TextDelta
from tests.unit.local.aiplatform.platform_server import Platform, advance, serving
from tests.unit.local.aiplatform.test_model_scripts import ASK, answer, model

GATES = "/_cloud/aiplatform/gates"
STEPS = tuple({"type": "thought", "summary": [{"type": "text", "text": str(n)}]} for n in range(4))


def made(interaction: dict[str, Any]) -> list[Any]:
    return [step for step in interaction["steps"] if step["type"] == "thought"]


def test_an_answer_stands_still_until_its_gate_is_opened(platform: Platform) -> None:
    platform.part.script_model(ModelScript((say("Slowly "), hold("seen"), say("said."))))
    told = model(platform).stream(ASK, Cut())
    first = next(told)
    assert isinstance(first, TextDelta) and first.text == "Slowly "
    assert platform.http.post(GATES, json={"name": "seen"}).json() == {"open": "seen"}
    assert [one.text for one in told if isinstance(one, TextDelta)] == ["said."]


def test_a_gate_that_is_open_holds_nothing_and_one_that_is_shut_lets_a_client_go(platform: Platform) -> None:
    platform.part.open_gate("before")
    platform.part.script_model(ModelScript((hold("before"), say("At once."))), ModelScript((say("a"), hold("never"))))
    assert answer(platform).message.parts[0].text == "At once."  # type: ignore[union-attr]
    cut = Cut()
    with pytest.raises(TransportError):
        for _ in model(platform).stream(ASK, cut):
            cut.cut()


def test_research_stands_still_at_its_gate_and_goes_on_from_there(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock) as platform:
        platform.part.script_interaction(Script(steps=STEPS, run_seconds=8, hold=(5, "seen")))
        identity = platform.begin()
        advance(clock, 3600)
        held = platform.get(identity)
        assert held["status"] == "in_progress" and len(made(held)) == 2
        platform.part.open_gate("seen")
        advance(clock, 2)
        assert platform.get(identity)["status"] == "in_progress"
        advance(clock, 2)
        done = platform.get(identity)
        assert done["status"] == "completed" and len(made(done)) == 4
        assert len(platform.replay(identity)) > 8
    clock.close()


def test_research_at_its_gate_can_be_cancelled_and_is_held_after_a_restart(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock) as platform:
        for gate in ("one", "two"):
            platform.part.script_interaction(Script(steps=STEPS, run_seconds=8, hold=(5, gate)))
        first, second = platform.begin(), platform.begin()
        advance(clock, 60)
        assert platform.http.post(f"/v1beta/interactions/{first}/cancel").json()["status"] == "cancelled"
        platform.part.open_gate("one")
        assert platform.get(first)["status"] == "cancelled"
    with serving(tmp_path, clock) as platform:
        advance(clock, 60)
        assert platform.get(second)["status"] == "in_progress"
        platform.part.open_gate("two")
        advance(clock, 5)
        assert platform.get(second)["status"] == "completed"
    clock.close()


@pytest.mark.parametrize("body", [{}, [], {"name": ""}, {"name": 1}])
def test_what_names_no_gate_is_refused(platform: Platform, body: object) -> None:
    assert platform.http.post(GATES, json=body).status_code == 400
