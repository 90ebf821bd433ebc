"""Searching and reading the web in the local cloud: its invented pages, through the product's own guard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from infra.local.aiplatform.model_script import ModelScript, call, say
from infra.local.cloud import CloudConfig, LocalCloud
from tests.e2e.processes import eventually
from tests.e2e.world import ROOT

SESSIONS = "/api/v1/chat/sessions"


@dataclass(frozen=True)
class Running:
    cloud: LocalCloud
    http: httpx.Client

    @property
    def web(self) -> str:
        return self.cloud.place.web

    def say(self, text: str) -> dict[str, Any]:
        """The turn that answers a message of a session of its own."""
        session = self.http.post(SESSIONS, json={}).raise_for_status().json()["session"]["id"]
        answer = self.http.post(f"{SESSIONS}/{session}/messages", json={"text": text})
        return dict(answer.raise_for_status().json())

    def script(self, *answers: tuple[Any, ...]) -> None:
        self.cloud.services.aiplatform.script_model(*(ModelScript(items=items) for items in answers))


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    cloud = LocalCloud(CloudConfig(root=ROOT))
    address = cloud.start()
    headers = {"Authorization": f"Bearer {address.token}", "Accept": "application/json"}
    with httpx.Client(base_url=address.http, headers=headers, trust_env=False, timeout=60) as http:
        yield Running(cloud, http)
    assert cloud.services.aiplatform.unused_scripts() == []
    cloud.close()


def results(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [event["data"] for event in turn["trace"] if event["type"] == "tool_result"]


@pytest.mark.slow
def test_a_search_finds_the_invented_pages_and_names_where_they_are(running: Running) -> None:
    turn = running.say("search the web for what our five strongest competitors charge")
    (result,) = results(turn)
    found = {one["url"].removeprefix(running.web) for one in result["result"]["results"]}
    assert found >= {"/market/overview", "/tavrolo/prices"} and "/library/hours" not in found
    assert f"({running.web}/market/overview)" in turn["answer"]


@pytest.mark.slow
def test_each_price_page_can_be_read(running: Running) -> None:
    for name, price in (
        ("tavrolo", "19 EUR"),
        ("plankett", "89 EUR"),
        ("merigrid", "49 USD"),
        ("ostowerk", "2,400"),
        ("fenjolt", "1.9 percent"),
    ):
        turn = running.say(f"read {running.web}/{name}/prices")
        text = results(turn)[0]["result"]["text"]
        assert price in text and "invented page" in text and "| Plan | Price |" in text
        assert f"{running.web}/{name}/prices" in turn["answer"]


@pytest.mark.slow
def test_a_page_is_kept_only_once_the_person_has_approved_it(running: Running) -> None:
    turn = running.say(f"save {running.web}/tavrolo/prices as a note")
    assert "waiting for your decision" in turn["answer"] and "#/approvals" in turn["answer"]
    proposed = results(turn)[-1]["result"]
    assert proposed["status"] == "pending"
    notes = running.http.get("/api/v1/notes").raise_for_status().json()["notes"]
    assert "Tavrolo: prices" not in [note["title"] for note in notes]
    running.http.post(f"/api/v1/approvals/{proposed['approval_id']}/approve").raise_for_status()
    notes = running.http.get("/api/v1/notes").raise_for_status().json()["notes"]
    assert "Tavrolo: prices" in [note["title"] for note in notes]


@pytest.mark.parametrize(
    "url",
    [
        "{http}/",
        "{http}/_cloud/aiplatform/calls",
        "http://localhost:{port}/tavrolo/prices",
        "http://169.254.169.254/",
        "http://[::1]:{port}/",
    ],
)
def test_nothing_else_of_the_machine_is_read(running: Running, url: str) -> None:
    base = str(running.http.base_url).rstrip("/")
    address = url.format(http=base, port=running.web.rpartition(":")[2])
    running.script((call("fetch_url", url=address),), (say("Done."),))
    (result,) = results(running.say("Read it."))
    assert not result["ok"] and result["result"]["error"]["code"] in ("address_refused", "bad_address")


@pytest.mark.slow
def test_a_scripted_chat_keeps_its_scripts_while_it_searches(running: Running) -> None:
    running.script((call("web_search", query="rye dough"),), (say("Rye is quick."),))
    turn = running.say("What of rye?")
    assert turn["answer"] == "Rye is quick."
    assert [one["url"] for one in results(turn)[0]["result"]["results"]] == [f"{running.web}/bakery/rye"]


@pytest.mark.slow
def test_the_search_is_billed(running: Running) -> None:
    running.say("google rye dough")
    assert [row.unit for row in running.cloud.bill().rows if "grounding" in row.unit] == ["grounding_searches"]


@pytest.mark.slow
def test_competitors_that_are_only_counted_are_found_and_then_looked_into_side_by_side(running: Running) -> None:
    goal = "Look into our five strongest competitors, sum up what each one charges, and put it in a table."

    def get(path: str) -> dict[str, Any]:
        return dict(running.http.get(path).raise_for_status().json())

    path = f"/api/v1/agent_runs/{running.http.post('/api/v1/agent_runs', json={'goal': goal}).json()['run']['id']}"
    eventually(lambda: get(path)["run"]["status"] in ("succeeded", "failed"), "the end of the run")
    run = get(path)["run"]
    first, *each = [step for step in run["steps"] if step["kind"] == "sub_agent"]
    assert len(each) == 5 and all(step["depends_on"] == [first["id"]] for step in each)
    body = get(f"/api/v1/notes/{run['answer_note_id']}")["note"]["body"]
    rows = [line for line in body.splitlines() if line.startswith("| Competitor")]
    named = ("Tavrolo", "Plankett", "Merigrid", "Ostowerk", "Fenjolt")
    assert len(rows) == 5 and all(name in row for name, row in zip(named, rows, strict=True)), rows
