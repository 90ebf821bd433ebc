"""Chat turns through the whole product on the local cloud: with a scripted model, and with the emulated one's rules."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.aiplatform.model_script import ModelScript, call, say, think
from infra.local.aiplatform.script import HttpFailure
from tests.e2e.world import World

SESSIONS = "/api/v1/chat/sessions"


@pytest.fixture
def settings() -> dict[str, str]:
    return {"CHAT_RETRY_SECONDS": "0.01"}


def ask(world: World, text: str) -> dict[str, Any]:
    session = world.request("POST", SESSIONS, json={})["session"]["id"]
    headers = {"Accept": "application/json"}
    answer = world.request("POST", f"{SESSIONS}/{session}/messages", json={"text": text}, headers=headers)
    world.settle()  # the turn's watcher sleeps by the world's clock
    return dict(answer)


def kinds(answer: dict[str, Any]) -> list[str]:
    return [event["type"] for event in answer["trace"]]


@pytest.mark.slow
def test_a_scripted_model_is_heard_through_the_whole_product(world: World) -> None:
    world.platform.script_model(
        ModelScript((think("first"), call("create_tasks", tasks=[{"title": "bake"}])), (HttpFailure(503),)),
        ModelScript((say("The task is there."),)),
    )
    answer = ask(world, "please")
    assert (answer["status"], answer["answer"]) == ("completed", "The task is there.")
    assert {"model_thought", "tool_call", "tool_result"} <= set(kinds(answer))
    assert [task["title"] for task in world.request("GET", "/api/v1/tasks")["tasks"]] == ["bake"]
    assert world.platform.unused_scripts() == []


def test_the_emulated_model_answers_from_the_notes_with_links(world: World) -> None:
    answer = ask(world, "What do my notes say about rye?")
    assert answer["status"] == "completed" and "(#/notes/" in answer["answer"]
    assert answer["usage"]["input_tokens"] > 0


@pytest.mark.slow
def test_the_emulated_model_does_two_things_at_once(world: World) -> None:
    answer = ask(world, "Add a task to oil the chain by friday and note that the cassette is fine.")
    assert kinds(answer).count("tool_call") == 2
    (task,) = world.request("GET", "/api/v1/tasks")["tasks"]
    assert task["title"] == "oil the chain" and task["due"]
    assert any(note["body"] == "the cassette is fine" for note in world.notes("capture"))
