"""Agent runs over real processes and real connections: the whole way, watched, left, come back to, stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from infra.local.aiplatform.model_script import HANG, ModelScript, call, hold, say
from infra.local.cloud import Addresses, CloudConfig, LocalCloud
from tests.e2e.processes import PATIENCE_SECONDS, Api, eventually
from tests.e2e.world import ROOT
from tests.support.command import memex
from tests.support.machine import stretched

RUNS = "/api/v1/agent_runs"
CONTRACTS = ROOT / "infra" / "cli" / "demo" / "contracts"
ENDED = ("succeeded", "failed", "cancelled")
PRICES = {"Alpenglow": 19, "Bergfried": 24, "Cresta": 31, "Dolomit": 12, "Enzian": 45}
COMPETITORS = (
    "Look into our five strongest competitors: Alpenglow, Bergfried, Cresta, Dolomit and Enzian; sum up what each one "
    "charges, and put it in a table."
)


@pytest.fixture(scope="module")
def cloud() -> Iterator[tuple[LocalCloud, Addresses]]:
    # One search provider less: what is found here comes from the notes alone.
    cloud = LocalCloud(CloudConfig(root=ROOT, env={"ALLOW_INTERNET_ACCESS": "off"}))
    address = cloud.start()
    api = Api(address.http, address.token)
    for name, price in PRICES.items():
        api.write_note(f"{name} and its offer", f"{name} charges {price} francs a month for the basic plan.", "market")
    yield cloud, address
    api.http.close()
    cloud.close()


@pytest.fixture
def api(cloud: tuple[LocalCloud, Addresses]) -> Iterator[Api]:
    """What a test scripted and nobody took is forgotten after it."""
    api = Api(cloud[1].http, cloud[1].token)
    yield api
    api.http.delete("/_cloud/aiplatform/model-scripts")
    api.http.close()


def started(api: Api, goal: str, **body: Any) -> str:
    answer = api.http.post(RUNS, json={"goal": goal, **body}).raise_for_status()
    return str(answer.json()["run"]["id"])


def run_of(api: Api, run_id: str) -> dict[str, Any]:
    return dict(api.get(f"{RUNS}/{run_id}")["run"])


def ended(api: Api, run_id: str) -> dict[str, Any]:
    eventually(lambda: run_of(api, run_id)["status"] in ENDED, f"the end of {run_id}")
    return run_of(api, run_id)


def watched(api: Api, run_id: str, after: int = 0, stop_at: str = "run_completed") -> list[dict[str, Any]]:
    """The frames after a number, up to the first of that type."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": str(after)} if after else {})}
    got: list[dict[str, Any]] = []
    with api.http.stream("GET", f"{RUNS}/{run_id}/events", headers=headers, timeout=PATIENCE_SECONDS) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            if line.startswith("data: "):
                got.append(json.loads(line[6:]))
                if got[-1]["type"] == stop_at:
                    break
    return got


def uploaded(api: Api, name: str) -> str:
    """The id of the contract of that name, once its text has been taken over."""
    files = {"file": (name, (CONTRACTS / name).read_bytes(), "application/pdf")}
    document = api.http.post("/api/v1/documents", files=files).raise_for_status().json()["document"]
    path = f"/api/v1/documents/{document['id']}"
    eventually(lambda: api.get(path)["document"]["status"] == "ready", f"{name} is ready")
    return str(document["id"])


def script_plan(cloud: tuple[LocalCloud, Addresses], *steps: tuple[str, str, list[str]]) -> None:
    """The plan that the model answers: (id, task, depends_on)."""
    listed = [
        {"id": name, "title": task, "task": task, "tool": "sub_agent", "depends_on": needs}
        for name, task, needs in steps
    ]
    script = ModelScript(items=(say(json.dumps({"steps": listed})),), asks="json")
    cloud[0].services.aiplatform.script_model(*[script] * 6)  # a note that is just being summarised may take one


def test_competitors_are_looked_into_side_by_side_and_their_prices_put_in_a_table(api: Api) -> None:
    run = ended(api, started(api, COMPETITORS))
    assert run["status"] == "succeeded", run["error"]
    work = [step for step in run["steps"] if step["kind"] == "sub_agent"]
    assert [step["title"] for step in work] == list(PRICES) and not any(step["depends_on"] for step in work)
    times = sorted((step["started_at"], step["finished_at"]) for step in work)
    assert any(later[0] < earlier[1] for earlier, later in pairwise(times)), "side by side"
    for step in work:
        calls = [call["tool_name"] for call in step["steps"]]
        assert "search_notes" in calls and "read_note" in calls
        assert all(call["parent_step_id"] == step["id"] and call["tool_input"] for call in step["steps"])
    note = api.get(f"/api/v1/notes/{run['answer_note_id']}")["note"]
    assert note["kind"] == "answer" and note["run_id"] == run["id"]
    rows = [line for line in note["body"].splitlines() if line.startswith("|")]
    for name, price in PRICES.items():
        assert any(name in row and f"{price} francs" in row and "[" in row for row in rows), rows
    assert {one["title"] for one in note["citations"]} == {f"{name} and its offer" for name in PRICES}
    assert run["total_tokens_in"] > 0 and run["cost_usd"] > 0 and run["finished_at"] < run["deadline_at"]


@pytest.mark.slow
def test_deadlines_are_pulled_out_of_three_contracts_and_those_of_a_quarter_named(
    api: Api, cloud: tuple[LocalCloud, Addresses]
) -> None:
    """Retrieval, extraction for each document side by side, filter and aggregate; each deadline with its page."""
    names = sorted(path.name for path in CONTRACTS.glob("*.pdf"))
    ids = {name: uploaded(api, name) for name in names}
    script_plan(
        cloud,
        ("find", "Which documents are there: the contracts", []),
        *((f"read-{n}", f"Every deadline in the document {name}", ["find"]) for n, name in enumerate(names)),
    )
    goal = (
        "Go through the three contracts in my workspace, pull out every deadline in them, and say which fall into Q4."
    )
    run = ended(api, started(api, goal))
    assert run["status"] == "succeeded", run["error"]
    extraction = [step for step in run["steps"] if step["title"].startswith("Every deadline")]
    assert len(extraction) == 3 and all(step["depends_on"] == [run["steps"][1]["id"]] for step in extraction)
    for step, name in zip(extraction, names, strict=True):
        read = [call["tool_input"]["document_id"] for call in step["steps"] if call["tool_name"] == "read_document"]
        assert read == [ids[name]], "each reads its own document"
    note = api.get(f"/api/v1/notes/{run['answer_note_id']}")["note"]
    quarter = note["body"].partition("## In quarter 4")[2].partition("\n## ")[0]
    for deadline in ("9 November 2026", "31 October 2026", "30 November 2026", "15 October 2026", "12 October 2026"):
        assert deadline in quarter
    for earlier in ("1 September 2026", "30 June 2026", "16 March 2026"):
        assert earlier not in quarter and earlier in note["body"]
    assert {one["document_id"] for one in note["citations"]} == set(ids.values())
    assert all(one["page"] for one in note["citations"])
    assert run["finished_at"] < run["deadline_at"]


@pytest.mark.slow
def test_five_steps_of_which_two_are_side_by_side(api: Api, cloud: tuple[LocalCloud, Addresses]) -> None:
    script_plan(
        cloud,
        ("s1", "What Alpenglow charges", []),
        ("s2", "What Bergfried charges", ["s1"]),
        ("s3", "What Cresta charges", ["s1"]),
        ("s4", "What Dolomit charges", ["s2", "s3"]),
        ("s5", "What Enzian charges", ["s4"]),
    )
    search, found = call("search_notes", query="charges"), say("It charges so much [1.1].")
    both = hold("both have begun")
    said = [[search], [found], [both, search], [both, search], [found], [found], *([[search], [found]] * 2)]
    scripts = [ModelScript(items=tuple(items), asks="tools") for items in said]
    platform = cloud[0].services.aiplatform
    platform.script_model(*scripts)
    run_id = started(api, "What do they charge?")
    begun = ("What Bergfried charges", "What Cresta charges")

    def together() -> bool:
        running = [step["title"] for step in run_of(api, run_id)["steps"] if step["status"] == "running"]
        return set(begun) <= set(running)

    eventually(together, "the two are under way together")
    platform.open_gate("both have begun")
    frames = watched(api, run_id)
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    kinds = [frame["type"] for frame in frames]
    assert kinds[0] == "run_started" and kinds[-1] == "run_completed" and kinds.count("plan_ready") == 1
    named = [(frame["type"], frame["data"]["title"]) for frame in frames if frame["type"].startswith("step_")]
    place = {pair: n for n, pair in enumerate(named)}
    ends = [("step_completed", title) for title in begun]
    assert max(place["step_started", title] for title in begun) < min(place[one] for one in ends)
    assert place["step_started", "What Dolomit charges"] > max(place[one] for one in ends)
    assert place["step_started", "What Enzian charges"] > place["step_completed", "What Dolomit charges"]
    for frame in frames:
        assert {"run_id", "step_id", "parent_step_id", "title", "status"} <= frame["data"].keys()
        assert frame["data"]["run_id"] == run_id and frame["stream"] == f"agent_runs/{run_id}"
    assert frames[-1]["data"]["status"] == "succeeded" and frames[-1]["data"]["stop_reason"] == "end"


@pytest.mark.slow
def test_a_stream_that_is_left_is_taken_up_where_it_was(api: Api) -> None:
    run_id = started(api, "What does Cresta charge?")
    first = watched(api, run_id, stop_at="plan_ready")
    rest = watched(api, run_id, after=first[-1]["seq"])
    whole = watched(api, run_id)
    assert [*first, *rest] == whole
    page = api.http.get(f"{RUNS}/{run_id}/events", headers={"Accept": "application/json"}).json()
    assert page["events"] == whole


@pytest.mark.slow
def test_a_goal_that_nothing_is_known_of_fails_and_says_so(api: Api) -> None:
    run = ended(api, started(api, "What is quantum chromodynamics?"))
    assert run["status"] == "failed" and run["error"]["code"] == "no_evidence"
    assert watched(api, run["id"])[-1]["data"]["status"] == "failed"


@pytest.mark.parametrize(
    "phase",
    [
        pytest.param("json", marks=pytest.mark.slow, id="planning"),
        pytest.param("tools", id="working"),
        pytest.param("text", marks=pytest.mark.slow, id="synthesising"),
    ],
)
def test_a_cancel_is_over_within_two_seconds(api: Api, cloud: tuple[LocalCloud, Addresses], phase: str) -> None:
    platform = cloud[0].services.aiplatform
    platform.script_model(*[ModelScript(items=(HANG,), asks=phase)] * 3)  # type: ignore[arg-type]
    status = {"json": "planning", "tools": "running", "text": "synthesising"}[phase]
    run_id = started(api, "What does Enzian charge?")

    def there() -> bool:
        run = run_of(api, run_id)
        return run["status"] == status and any(step["status"] == "running" for step in run["steps"])

    eventually(there, f"the run is {status}")
    eventually(lambda: len(platform.unused_scripts()) < 3, "the model is silent")
    begun = time.monotonic()
    answer = api.http.post(f"{RUNS}/{run_id}/cancel").raise_for_status().json()
    assert answer["cancelled"] and answer["run"]["status"] == "cancelled"
    frames = watched(api, run_id)
    assert time.monotonic() - begun < stretched(2.0)
    assert frames[-1]["type"] == "run_completed" and frames[-1]["data"]["status"] == "cancelled"
    before = run_of(api, run_id)
    time.sleep(1.5)
    assert run_of(api, run_id) == before
    assert all(step["status"] in ("succeeded", "cancelled") for step in before["steps"])
    again = api.http.post(f"{RUNS}/{run_id}/cancel").raise_for_status().json()
    assert not again["cancelled"]


def test_the_same_key_is_one_run(api: Api) -> None:
    headers = {"Idempotency-Key": "one-run"}
    answers = [api.http.post(RUNS, json={"goal": "What does Dolomit charge?"}, headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert len({answer.json()["run"]["id"] for answer in answers}) == 1
    other = api.http.post(RUNS, json={"goal": "Something else"}, headers=headers)
    assert other.status_code == 422
    ended(api, answers[0].json()["run"]["id"])


@pytest.mark.slow
def test_a_chat_starts_a_run_and_hears_of_its_end(api: Api, cloud: tuple[LocalCloud, Addresses]) -> None:
    goal = "What does Bergfried charge?"
    asked = "Look into Bergfried thoroughly."
    scripts = [(call("start_run", goal=goal),), (say("It was started."),)]
    cloud[0].services.aiplatform.script_model(*(ModelScript(items=items, about=asked) for items in scripts))
    session = api.http.post("/api/v1/chat/sessions", json={}).json()["session"]["id"]
    json_please = {"Accept": "application/json"}
    turn = api.http.post(
        f"/api/v1/chat/sessions/{session}/messages",
        json={"text": asked},
        headers=json_please,
    ).json()
    assert turn["status"] == "completed" and turn["answer"] == "It was started."
    [result] = [event["data"]["result"] for event in turn["trace"] if event["type"] == "tool_result"]
    run = ended(api, result["run_id"])
    assert run["status"] == "succeeded" and run["session_id"] == session and run["turn_id"] == turn["turn_id"]

    def told() -> bool:
        trace = api.get(f"/api/v1/chat/sessions/{session}")["session"]["trace"]
        return any(event["type"] == "run_answer" for event in trace)

    eventually(told, "the chat is told")
    trace = api.get(f"/api/v1/chat/sessions/{session}")["session"]["trace"]
    [answer] = [event["data"] for event in trace if event["type"] == "run_answer"]
    assert answer["note_id"] == run["answer_note_id"] and "24 francs" in answer["text"]


@pytest.mark.slow
def test_the_command_starts_watches_shows_and_cancels(cloud: tuple[LocalCloud, Addresses]) -> None:
    where = ["--url", cloud[1].http, "--token", cloud[1].token]
    done = memex("run", "start", "What does Alpenglow charge?", *where)
    assert done.returncode == 0, done.stderr
    assert "plan: What does Alpenglow charge; Answer" in done.stdout and "succeeded (end)" in done.stdout
    listed = json.loads(memex("run", "list", "--json", *where).stdout)["runs"]
    run_id = listed[0]["id"]
    shown = memex("run", "show", run_id, *where).stdout
    assert "search_notes" in shown and "succeeded" in shown
    events = [json.loads(line) for line in memex("run", "watch", run_id, "--json", *where).stdout.splitlines()]
    assert events[-1]["type"] == "run_completed"
    assert "already ended" in memex("run", "cancel", run_id, *where).stdout


def test_what_is_no_run_is_refused_with_what_to_do(api: Api) -> None:
    assert api.http.get(f"{RUNS}/nowhere").status_code == 404
    assert api.http.post(RUNS, json={"goal": " "}).status_code == 400
    assert api.http.post(RUNS, json={"goal": "x", "session_id": "nowhere"}).status_code == 404
    assert api.http.get(RUNS, params={"status": "resting"}).status_code == 400
