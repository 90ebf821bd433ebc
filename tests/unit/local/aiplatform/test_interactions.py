"""Create, get, cancel and delete over HTTP, as the service answers them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.aiplatform.research import Task, plan_research
from infra.local.aiplatform.script import Script
from infra.local.clock import VirtualClock
from tests.unit.local.aiplatform.platform_server import AGENT, Platform, advance, report_text, request_body, serving

VERTEX = "/v1beta1/projects/memex-local/locations/global/interactions"


def create(platform: Platform, path: str = "/v1/interactions", **changes: Any) -> httpx.Response:
    return platform.http.post(path, json=request_body(**changes))


def test_a_run_ends_completed_with_its_whole_timeline(platform: Platform) -> None:
    done = platform.finished(platform.begin())
    kinds = [step["type"] for step in done["steps"]]
    assert done["status"] == "completed"
    assert (done["object"], done["agent"]) == ("interaction", AGENT)
    assert kinds[0] == "user_input"
    assert {"thought", "google_search_call", "google_search_result", "model_output"} <= set(kinds)
    assert kinds.count("model_output") > 2
    first, last = kinds.index("model_output"), len(kinds) - 1 - kinds[::-1].index("model_output")
    assert "thought" in kinds[first:last]


def test_steps_grow_while_the_run_goes_on(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock, run_seconds=3600) as platform:
        identity = platform.begin()
        seen = []
        for _minute in range(0, 60, 10):
            advance(clock, 600)
            seen.append(platform.get(identity))
        counts = [len(interaction["steps"]) for interaction in seen]
        assert counts == sorted(counts)
        assert len(set(counts)) > 4
        assert [interaction["status"] for interaction in seen[:5]] == ["in_progress"] * 5
        assert "usage" not in seen[0]
        assert platform.finished(identity)["status"] == "completed"
    clock.close()


@pytest.mark.parametrize("config, summaries", [("auto", True), ("none", False), (None, False)])
def test_thoughts_have_summaries_only_when_asked_for(platform: Platform, config: str | None, summaries: bool) -> None:
    agent_config = {"type": "deep-research"} | ({"thinking_summaries": config} if config else {})
    done = platform.finished(platform.begin(agent_config=agent_config))
    thoughts = [step for step in done["steps"] if step["type"] == "thought"]
    assert thoughts
    assert all(("summary" in thought) is summaries for thought in thoughts)


@pytest.mark.parametrize("config, images", [("auto", True), ("off", False), (None, True)])
def test_images_come_unless_switched_off(platform: Platform, config: str | None, images: bool) -> None:
    agent_config = {"type": "deep-research"} | ({"visualization": config} if config else {})
    done = platform.finished(platform.begin(agent_config=agent_config))
    contents = [part for step in done["steps"] if step["type"] == "model_output" for part in step["content"]]
    found = [part for part in contents if part["type"] == "image"]
    assert bool(found) is images
    assert all(part["data"].startswith("iVBORw0KGgo") for part in found)


def test_without_a_stream_the_run_is_accepted_and_then_fails_with_code_13(tmp_path: Path) -> None:
    clock = VirtualClock()  # else a slow machine may see the failure in the first answer
    with serving(tmp_path, clock) as platform:
        answer = create(platform, stream=False)
        assert answer.status_code == 200
        assert answer.json()["status"] == "in_progress"
        assert "steps" not in answer.json()
        advance(clock, 1)
        done = platform.finished(answer.json()["id"])
        assert done["status"] == "failed"
        assert done["errors"][0]["code"] == "13"
        assert report_text(done) == ""
    clock.close()


@pytest.mark.parametrize(
    "changes, field",
    [
        ({"background": None}, "background"),
        ({"background": False}, "background"),
        ({"store": False}, "store"),
        ({"colour": "red"}, "colour"),
        ({"agent_config": {"type": "deep-research", "colour": "red"}}, "agent_config.colour"),
        ({"agent_config": {"type": "deep-research", "visualization": ["off"]}}, "agent_config.visualization"),
        ({"agent_config": {"type": "dynamic"}}, "agent_config.type"),
        ({"input": "  "}, "input"),
        ({"input": None}, "input"),
        ({"stream": "yes"}, "stream"),
        ({"model": "gemini-3.8-flash"}, "agent"),
        ({"tools": [{"type": "function", "name": "f"}]}, "tools"),
    ],
)
def test_a_request_that_the_service_refuses_is_a_400_that_names_the_field(
    platform: Platform, changes: dict[str, Any], field: str
) -> None:
    answer = create(platform, **changes)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert error["details"][0]["fieldViolations"][0]["field"] == field
    assert platform.part.calls.created() == []


def test_an_unknown_agent_is_not_found(platform: Platform) -> None:
    assert create(platform, agent="nobody").status_code == 404


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer"}, {"Authorization": "Basic abc"}])
def test_a_caller_without_credentials_is_refused(platform: Platform, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{platform.base}/v1/interactions", json=request_body(), headers=headers)
    assert answer.status_code == 401
    assert answer.json()["error"]["status"] == "UNAUTHENTICATED"


@pytest.mark.parametrize("path", ["/v1/interactions", "/v1beta/interactions", "/v1beta2/interactions", VERTEX])
def test_each_version_and_both_kinds_of_path_lead_to_the_same_run(platform: Platform, path: str) -> None:
    headers = {"Authorization": "Bearer t"}
    identity = httpx.post(f"{platform.base}{path}", json=request_body(stream=False), headers=headers).json()["id"]
    assert httpx.get(f"{platform.base}{path}/{identity}", headers=headers).json()["id"] == identity


def test_cancel_ends_a_running_interaction_once(tmp_path: Path) -> None:
    with serving(tmp_path, run_seconds=3600) as platform:
        identity = platform.begin()
        first = platform.http.post(f"/v1/interactions/{identity}/cancel")
        second = platform.http.post(f"/v1/interactions/{identity}/cancel")
        assert (first.status_code, first.json()["status"]) == (200, "cancelled")
        assert second.status_code == 400
        assert platform.finished(identity)["status"] == "cancelled"
        assert report_text(platform.get(identity)) == ""
        assert platform.part.calls.cancelled() == [identity]


def test_a_finished_run_cannot_be_cancelled(platform: Platform) -> None:
    identity = platform.begin()
    platform.finished(identity)
    assert platform.http.post(f"/v1/interactions/{identity}/cancel").status_code == 400
    assert platform.get(identity)["status"] == "completed"


def test_a_deleted_interaction_is_gone(platform: Platform) -> None:
    identity = platform.begin()
    assert platform.http.delete(f"/v1/interactions/{identity}").json() == {}
    assert platform.http.get(f"/v1/interactions/{identity}").status_code == 404
    assert platform.http.delete(f"/v1/interactions/{identity}").status_code == 404


def test_an_interaction_follows_only_on_a_completed_one(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock) as platform:
        identity = platform.begin()
        follow_up = {"input": "What causes neap tides?", "previous_interaction_id": identity}
        assert create(platform, **follow_up).status_code == 400
        advance(clock, 1)
        following = platform.begin(**follow_up)
        advance(clock, 1)
        done = platform.finished(following)
        assert done["previous_interaction_id"] == identity
        assert "right angles" in report_text(done)
        assert create(platform, VERTEX, **follow_up).status_code == 400
        assert create(platform, previous_interaction_id="v1_none").status_code == 404
    clock.close()


def test_a_plain_model_answers_at_once_and_says_that_it_is_emulated(platform: Platform) -> None:
    body = {"model": "gemini-3.8-flash", "input": "The sea is salt. Rain is fresh.\n\nIs the sea salt?"}
    answer = platform.http.post("/v1/interactions", json=body).json()
    assert answer["status"] == "completed"
    assert "The sea is salt." in report_text(answer)
    assert "Emulated" in report_text(answer)


def test_usage_is_said_and_metered_once(platform: Platform) -> None:
    identity = platform.begin()
    usage = platform.finished(identity)["usage"]
    assert platform.http.delete(f"/v1/interactions/{identity}").status_code == 200
    totals = platform.meter.totals()
    assert usage["total_input_tokens"] == pytest.approx(len(request_body()["input"]) / 4, abs=1)
    assert totals["aiplatform", "input_tokens"] == usage["total_input_tokens"]
    made = usage["total_output_tokens"] + usage["total_thought_tokens"] + usage["total_tool_use_tokens"]
    assert totals["aiplatform", "output_tokens"] == made
    assert totals["aiplatform", "deep_research_runs"] == 1
    assert totals["aiplatform", "grounding_searches"] == usage["grounding_tool_count"][0]["count"]


def test_a_run_goes_on_over_a_restart(tmp_path: Path) -> None:
    clock = VirtualClock()
    with serving(tmp_path, clock, run_seconds=600) as platform:
        identity = platform.begin()
        advance(clock, 300)
        before = platform.get(identity)
    with serving(tmp_path, clock, run_seconds=600) as platform:
        assert platform.get(identity)["status"] == "in_progress"
        assert platform.get(identity)["steps"][: len(before["steps"])] == before["steps"]
        advance(clock, 301)
        after = platform.get(identity)
        assert after["status"] == "completed"
        assert len(after["steps"]) > len(before["steps"])
        assert platform.meter.totals()["aiplatform", "output_tokens"] > 0
    clock.close()


def test_scripts_and_calls_are_kept_over_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as platform:
        platform.part.script_interaction(Script(name="kept", statuses=((0, "queued"),)))
    with serving(tmp_path) as platform:
        assert platform.part.unused_scripts() == ["kept: no create took it"]
        identity = platform.begin()
        assert platform.get(identity)["status"] == "queued"
    with serving(tmp_path) as platform:
        assert platform.part.calls.created() == [identity]
        assert platform.part.unused_scripts() == []


def test_a_run_that_has_nothing_to_write_from_fails_and_says_why() -> None:
    plan = plan_research(Task({"input": "What causes tides?", "stream": True}, 2.0))
    assert plan.status_at(2.0) == "failed"
    assert "model is emulated" in plan.errors[0]["message"]
    assert not [step for step in plan.steps_at(2.0) if step["type"] == "model_output"]
