"""What was used is counted through the whole product: stored event, fan-out, topic, meter, API."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.e2e.world import QUESTION, World


def usage(world: World) -> dict[str, Any]:
    return dict(world.request("GET", "/api/v1/usage"))


def say(world: World, text: str) -> None:
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    headers = {"Accept": "application/json"}
    world.request("POST", f"/api/v1/chat/sessions/{session}/messages", json={"text": text}, headers=headers)


@pytest.mark.slow
def test_turns_and_research_are_counted_once_though_every_event_comes_three_times(world: World) -> None:
    world.faults.duplicate_events(2)
    operation = world.research()
    say(world, "Hello!")
    say(world, "What did I write about rye?")
    world.until(lambda: usage_count(world) == 3)
    world.settle()
    found = usage(world)
    research = found["by_kind"]["research"]
    assert (found["by_kind"]["chat"]["count"], research["count"]) == (2, 1)
    assert found["totals"]["count"] == 3 + found["by_kind"]["enrich"]["count"]
    used = operation["usage"]
    assert research["input_tokens"] == used["input_tokens"] + used["tool_use_tokens"] > 0
    assert research["output_tokens"] == used["output_tokens"] + used["thought_tokens"] > 0
    assert 0 < research["usd"] < found["totals"]["usd"]
    assert found["states"]["usd"]["reserved"] == 0 and found["plan"] == "pro" and found["features"]["agent_runs"]


@pytest.mark.slow
def test_an_outage_of_pubsub_only_delays_the_count(world: World) -> None:
    world.faults.outage("pubsub", 300)
    say(world, "Hello!")
    world.until(lambda: usage_count(world) == 1)
    world.pass_time(1800)
    assert usage_count(world) == 1


@pytest.mark.slow
def test_research_that_could_go_over_the_cap_is_an_operation_that_says_so(world: World) -> None:
    world.firestore.document("workspaces/demo").update({"quotas": {"usd": 5.0}})
    world.write_note(QUESTION, "research")
    world.until(world.finished)
    (operation,) = world.stored_operations()
    assert operation["status"] == "failed" and operation["error"]["code"] == "budget_exceeded"
    assert "5.00 USD are left" in operation["error"]["message"] and world.paid_runs == []


def usage_count(world: World) -> int:
    """What the person asked for, not the notes' summaries; as stored, so that it can be asked while time moves."""
    shards = world.firestore.collection_group("shards").stream()
    kinds = [kind for shard in shards for kind in (shard.to_dict() or {})["kinds"].items()]
    return sum(int(sums["count"]) for kind, sums in kinds if kind != "enrich")


def test_of_two_who_want_the_last_run_one_is_let_in_and_counted(world: World) -> None:
    world.firestore.document("workspaces/demo").update({"quotas": {"runs": 1}})

    def start(n: int) -> Any:
        return world.http.post("/api/v1/agent_runs", json={"goal": f"What do my notes say about rye? ({n})"})

    def both() -> list[Any]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(start, range(2)))

    let_in, refused = sorted(world.act(both), key=lambda answer: answer.status_code)
    assert (let_in.status_code, refused.status_code) == (201, 429)
    assert "quota of 1 run has no room for this" in refused.json()["error"]["message"]
    runs = usage(world)["states"]["runs"]
    assert runs["reserved"] + runs["used"] == 1, "it may have ended by now"
    world.until(lambda: usage_count(world) == 1)
    found = usage(world)
    assert found["by_kind"]["run"]["count"] == 1 and found["states"]["runs"]["reserved"] == 0
    assert found["warnings"][0].startswith("The month's 1 run are used up")
    assert world.act(lambda: start(3)).status_code == 429
    world.settle()
