"""Collaborative planning over HTTP: a plan, another one, and the run that carries it out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.local.aiplatform.platform_server import Platform, report_text, request_body

VERTEX = "/v1beta1/projects/memex-local/locations/global/interactions"


def config(planning: bool) -> dict[str, Any]:
    return {"type": "deep-research", "thinking_summaries": "auto", "collaborative_planning": planning}


def begin(platform: Platform, planning: bool, **changes: Any) -> str:
    return platform.begin(agent_config=config(planning), **changes)


def test_a_plan_is_a_short_run_whose_text_plans_and_reports_nothing(platform: Platform) -> None:
    done = platform.finished(begin(platform, True))
    assert done["status"] == "completed"
    text = report_text(done)
    assert "Research plan: How tides work" in text and "What causes neap tides?" in text
    assert "right angles" not in text and "no model was asked" in text
    assert all(step["type"] != "google_search_call" for step in done["steps"])


def test_another_plan_minds_what_was_asked_for(platform: Platform) -> None:
    first = begin(platform, True)
    platform.finished(first)
    second = platform.finished(begin(platform, True, input="Leave out penguins.", previous_interaction_id=first))
    assert "Leave out penguins." in report_text(second) and "How tides work" in report_text(second)


def test_the_run_that_carries_it_out_has_the_notes_of_the_first_of_the_chain(platform: Platform) -> None:
    plans = [begin(platform, True)]
    platform.finished(plans[0])
    plans.append(begin(platform, True, input="Shorter.", previous_interaction_id=plans[0]))
    platform.finished(plans[1])
    done = platform.finished(begin(platform, False, input="Approved.", previous_interaction_id=plans[1]))
    assert done["status"] == "completed" and done["previous_interaction_id"] == plans[1]
    assert "right angles" in report_text(done)


def test_a_plan_that_was_deleted_cannot_be_continued(platform: Platform) -> None:
    plan = begin(platform, True)
    platform.finished(plan)
    platform.http.delete(f"/v1/interactions/{plan}")
    body = request_body(agent_config=config(False), input="Approved.", previous_interaction_id=plan)
    assert platform.http.post("/v1/interactions", json=body).status_code == 404


@pytest.mark.parametrize("planning, status", [(True, 400), (False, 200)])
def test_vertex_makes_no_plans(platform: Platform, planning: bool, status: int) -> None:
    body = request_body(agent_config={"type": "deep-research", "collaborative_planning": planning})
    with platform.http.stream("POST", VERTEX, json=body) as answer:
        assert answer.status_code == status
