"""With agent runs off everything else is as with them on: the API, the tools, and every frame of a turn."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.api.table import ROUTES
from shared.bootstrap import App
from shared.llm.port import Call, Models, Text, ToolSpec
from shared.tools.catalogue import acting, looking, proposing
from tests.support.http import AUTH, api_client, settings
from tests.support.scripted_model import ScriptedModel
from tests.unit.usage.test_plans import put_workspace

START_RUN = "start_run"
MOMENT = re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+Z")
ULID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")
DERIVED = re.compile(r"\b[a-z]+_[a-z2-7]{26}\b")


@dataclass
class Side:
    """Memex with the gate on or off, in a workspace of its own, with the same model script."""

    app: App
    client: FlaskClient
    model: ScriptedModel


def side(firestore: Client, gate: str) -> Side:
    workspace = f"gate-{gate}"
    put_workspace(firestore, workspace, plan="pro")
    model = ScriptedModel(
        [Text("Let me see."), Call("c1", "create_note", {"title": "Rye", "body": "It rests."})], [Text("Written.")]
    )
    app = App(settings(workspace, ALLOW_AGENT_RUNS=gate))
    vars(app).update(firestore=firestore, models=Models(chat=model, plan=model, work=model))
    return Side(app, api_client(app), model)


@pytest.fixture
def sides(firestore: Client) -> tuple[Side, Side]:
    return side(firestore, "on"), side(firestore, "off")


def turn(one: Side) -> str:
    """The whole stream of a turn, without its moments and fresh ids."""
    session = one.client.post("/api/v1/chat/sessions", headers=AUTH, json={}).json["session"]["id"]
    answer = one.client.post(f"/api/v1/chat/sessions/{session}/messages", headers=AUTH, json={"text": "Note it."})
    assert answer.status_code == 200 and "event: done" in answer.text
    text = DERIVED.sub("derived", ULID.sub("fresh", MOMENT.sub("moment", answer.text)))
    return re.sub(r'"seconds":[0-9.e-]+', '"seconds":0', text)


def without_run(specs: tuple[ToolSpec, ...]) -> list[ToolSpec]:
    return [spec for spec in specs if spec.name != START_RUN]


def test_a_turn_says_the_same_frames_and_asks_the_model_the_same(sides: tuple[Side, Side]) -> None:
    on, off = sides
    assert turn(on) == turn(off)
    for with_runs, without in zip(on.model.requests, off.model.requests, strict=True):
        assert without_run(with_runs.tools) == list(without.tools) != list(with_runs.tools)
        assert with_runs.system == without.system


def test_the_tools_are_the_same_but_for_the_one_that_starts_a_run() -> None:
    assert without_run(acting(runs=True).specs()) == list(acting(runs=False).specs())
    assert [spec.name for spec in acting(runs=True).specs() if spec.name == START_RUN] == [START_RUN]
    for registry in (looking(), proposing()):
        assert START_RUN not in [spec.name for spec in registry.specs()]


def test_the_api_has_the_same_addresses_and_lists(sides: tuple[Side, Side]) -> None:
    on, off = (one.client for one in sides)
    document = "/api/v1/openapi.json"
    assert on.get(document).json == off.get(document).json
    for route in ROUTES:
        if route.method == "GET" and "{" not in route.path:
            both = [client.get(f"/api/v1{route.path}", headers=AUTH) for client in (on, off)]
            assert both[0].status_code == both[1].status_code < 500, route.path


def test_only_starting_a_run_is_refused_and_says_what_to_do(sides: tuple[Side, Side]) -> None:
    answer = sides[1].client.post("/api/v1/agent_runs", headers=AUTH, json={"goal": "Compare three ovens."})
    assert answer.status_code == 403
    assert answer.json["error"]["message"] == "Agent runs are switched off here: set ALLOW_AGENT_RUNS=on."


def test_a_plan_without_runs_is_402(sides: tuple[Side, Side], firestore: Client) -> None:
    put_workspace(firestore, "gate-on", plan="free")
    answer = sides[0].client.post("/api/v1/agent_runs", headers=AUTH, json={"goal": "Compare three ovens."})
    assert answer.status_code == 402 and answer.json["error"]["code"] == "plan"
