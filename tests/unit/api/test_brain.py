"""The brain over HTTP: jobs by the queue's own words, records by what a person may do with them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.brain.agent import NewJob
from shared.contracts.brain_api import AgentsAnswer, AgentStatus, JobChangeAnswer, JobCounts
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.contracts.memory import Edge, ItemStatus, Node, RecordType
from shared.errors import NotFound
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from tests.support.http import AUTH, api_client, settings
from tests.support.remembered import MOMENT, a_record, an_item, dispute, remember
from tests.support.seams import FakeClock

BRAIN = "/api/v1/brain"


class FakeBrain:
    """A queue of one job; what it was asked for is kept."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.a_job = MemoryJob(id="job_1", kind="committer", run_after=MOMENT, created_at=MOMENT, updated_at=MOMENT)

    def enqueue(self, workspace: str, new: NewJob) -> MemoryJob:
        if new.kind != "committer":
            raise NotFound(f"There is no agent {new.kind!r}; there are: committer.")
        self.asked.append((workspace, new))
        return self.a_job

    def job(self, workspace: str, job_id: str) -> MemoryJob:
        if job_id != self.a_job.id:
            raise NotFound(f"There is no job {job_id}.")
        return self.a_job

    def jobs(self, workspace: str, **wanted: Any) -> tuple[tuple[MemoryJob, ...], str | None]:
        self.asked.append(wanted)
        return (self.a_job,), "more"

    def retry(self, workspace: str, job_id: str) -> JobChangeAnswer:
        return JobChangeAnswer(job=self.job(workspace, job_id), changed=False, message="It waits already.")

    def cancel(self, workspace: str, job_id: str) -> JobChangeAnswer:
        return JobChangeAnswer(job=self.job(workspace, job_id), changed=True, message="It is cancelled.")

    def status(self, workspace: str) -> AgentsAnswer:
        agent = AgentStatus(id="committer", description="Commits.", model_class="none", pending=1)
        return AgentsAnswer(agents=(agent,), jobs=JobCounts(pending=1))


@pytest.fixture
def brain() -> FakeBrain:
    return FakeBrain()


@pytest.fixture
def app(firestore: Client, store: WorkspaceStore, clock: FakeClock, brain: FakeBrain) -> App:
    app = App(settings(store.workspace, MODEL_BACKEND="none"), clock=clock)
    vars(app).update(firestore=firestore, brain=brain)
    return app


@pytest.fixture
def client(app: App) -> FlaskClient:
    return api_client(app)


def get(client: FlaskClient, path: str, **query: Any) -> Any:
    answer = client.get(f"{BRAIN}{path}", headers=AUTH, query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.json


def send(client: FlaskClient, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    answer = client.open(f"{BRAIN}{path}", method=method, headers=AUTH, json=body)
    assert answer.status_code == status, answer.text
    return answer.json


def ids(answer: Any) -> list[str]:
    return [one["id"] for one in answer["records"]]


def test_agents_are_told_with_their_counts(client: FlaskClient) -> None:
    answer = get(client, "/agents")
    assert answer["agents"][0]["id"] == "committer" and answer["jobs"]["pending"] == 1


def test_jobs_are_listed_as_asked_for(client: FlaskClient, brain: FakeBrain) -> None:
    answer = get(client, "/jobs", status="failed", kind="committer", limit=3)
    assert brain.asked == [{"limit": 3, "status": JobStatus.FAILED, "kind": "committer"}]
    assert answer["jobs"][0]["id"] == "job_1" and answer["next_cursor"] == "more"


def test_a_job_is_shown_changed_and_told(client: FlaskClient) -> None:
    assert get(client, "/jobs/job_1")["job"]["kind"] == "committer"
    assert send(client, "POST", "/jobs/job_1/retry")["message"] == "It waits already."
    assert send(client, "POST", "/jobs/job_1/cancel")["changed"] is True
    send(client, "POST", "/jobs/job_2/retry", status=404)


def test_an_agent_is_run_on_the_word_of_the_token(client: FlaskClient, brain: FakeBrain) -> None:
    send(client, "POST", "/agents/committer/run", {"input": {"item_ids": ["i"]}, "priority": 90}, status=201)
    ((_, asked),) = brain.asked
    assert (asked.kind, asked.input, asked.priority) == ("committer", {"item_ids": ["i"]}, 90)
    assert asked.user.startswith("token-")
    assert "there are: committer" in send(client, "POST", "/agents/x/run", {}, status=404)["error"]["message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"input": {"text": "x" * 32_000}}, "input"),
        ({"input": [1]}, "input"),
        ({"priority": 101}, "priority"),
        ({"agent": "x"}, "agent"),
    ],
)
def test_an_input_that_cannot_be_is_refused_by_name(client: FlaskClient, body: Any, field: str) -> None:
    error = send(client, "POST", "/agents/committer/run", body, status=400)["error"]
    assert error["details"]["field"] == field


def test_records_are_listed_newest_first_and_filtered(client: FlaskClient, database: Database) -> None:
    later = MOMENT + timedelta(hours=1)
    remember(
        database,
        a_record("r1"),
        a_record("r2", "I have a bicycle.", type=RecordType.FACT, created_at=later, pinned=True),
        a_record("r3", "I am a pilot.", status="retracted", created_at=later + timedelta(hours=1)),
    )
    assert ids(get(client, "/records")) == ["r2", "r1"]
    assert ids(get(client, "/records", status="retracted")) == ["r3"]
    assert ids(get(client, "/records", type="preference")) == ["r1"] and ids(
        get(client, "/records", pinned="true")
    ) == ["r2"]
    first = get(client, "/records", limit=1)
    assert ids(get(client, "/records", limit=1, cursor=first["next_cursor"])) == ["r1"]


def test_a_recall_gives_what_bears_on_the_words_with_links_to_where_it_was_said(
    client: FlaskClient, database: Database
) -> None:
    remember(database, a_record("r1"), a_record("r2", "I have a bicycle."))
    answer = get(client, "/records", q="which tea?")
    assert ids(answer) == ["r1"] and answer["records"][0]["matched"] == ["tea"]
    assert answer["records"][0]["links"][0]["link"] == "#/notes/note-r1"
    assert "embedding" not in answer["records"][0] and "terms" not in answer["records"][0]
    assert get(client, "/records", q="?!")["message"]


def test_what_held_at_a_time_is_asked_for_by_day_or_by_moment(client: FlaskClient, database: Database) -> None:
    then = a_record("r1", "I work at Acme.", valid_to=MOMENT, status="superseded")
    remember(database, then, a_record("r2", "I work at Plankett.", valid_from=MOMENT))
    assert ids(get(client, "/records", q="work")) == ["r2"]
    assert ids(get(client, "/records", q="work", as_of="2026-11-29")) == ["r1"]
    assert ids(get(client, "/records", q="work", as_of="2026-11-30T12:00:00Z")) == ["r2"]
    assert ids(get(client, "/records", subject="I", as_of="2026-11-29")) == ["r1"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"as_of": "yesterday"}, "as_of"),
        ({"as_of": "2026-11-30T12:00:00"}, "as_of"),
        ({"q": "x", "cursor": "c"}, "cursor"),
        ({"q": "x", "subject": "me"}, "subject"),
        ({"q": "x" * 501}, "q"),
        ({"type": "rumour"}, "type"),
        ({"pinned": "yes"}, "pinned"),
        ({"cursor": "nonsense"}, "cursor"),
    ],
)
def test_what_records_cannot_be_asked_for_is_named(client: FlaskClient, query: dict[str, str], field: str) -> None:
    answer = client.get(f"{BRAIN}/records", headers=AUTH, query_string=query)
    assert answer.status_code == 400 and answer.json is not None
    assert answer.json["error"]["details"]["field"] == field


def test_a_record_says_why_it_is_there(client: FlaskClient, database: Database) -> None:
    remember(database, a_record("r1"))
    answer = get(client, "/records/r1/why")
    (step,) = answer["trail"]
    assert step["item"]["id"] == "item-r1" and step["job"] is None
    assert [one["item"]["payload"]["verdict"] for one in step["critiques"]] == ["supports"]
    assert get(client, "/records/r1")["record"]["sources"][0]["quote"] == "I prefer green tea in the morning."
    assert client.get(f"{BRAIN}/records/absent/why", headers=AUTH).status_code == 404


def test_a_person_has_the_last_word_on_a_record(client: FlaskClient, database: Database) -> None:
    remember(database, a_record("r1"))
    record = send(client, "PATCH", "/records/r1", {"pinned": True, "excluded": True})["record"]
    assert record["pinned"] and record["excluded"] and ids(get(client, "/records", q="tea")) == []
    assert send(client, "PATCH", "/records/r1", {"excluded": False})["record"]["pinned"]
    assert send(client, "POST", "/records/r1/retract")["record"]["status"] == "retracted"
    assert ids(get(client, "/records", q="tea")) == []
    assert send(client, "POST", "/records/r1/restore")["record"]["status"] == "current"
    assert ids(get(client, "/records", q="tea")) == ["r1"]
    send(client, "PATCH", "/records/r1", {}, status=400)
    send(client, "PATCH", "/records/absent", {"pinned": True}, status=404)


def test_the_blackboard_shows_what_was_refused_and_why(client: FlaskClient, database: Database) -> None:
    from shared.store import blackboard

    refused = an_item("i1", {"text": "Do this."}, status=ItemStatus.REJECTED, reason="It is an instruction.")
    database.commit([blackboard.creating(one) for one in (refused, an_item("i2", {"text": "x"}))], "test.items")
    answer = get(client, "/blackboard", status="rejected", kind="candidate_record")
    assert [(one["id"], one["reason"]) for one in answer["items"]] == [("i1", "It is an instruction.")]
    assert {one["id"] for one in get(client, "/blackboard")["items"]} == {"i1", "i2"}


@pytest.mark.parametrize("keep", ["r2", None])
def test_a_contradiction_is_shown_with_its_records_and_settled(
    client: FlaskClient, database: Database, keep: str | None
) -> None:
    remember(database, a_record("r1", "I live in Oslo."), a_record("r2", "I live in Rome."))
    opened = dispute(database, "r1", "r2")
    (shown,) = get(client, "/contradictions", status="open")["contradictions"]
    assert [one["text"] for one in shown["records"]] == ["I live in Oslo.", "I live in Rome."]
    settled = send(client, "POST", f"/contradictions/{opened.id}/settle", {"keep": keep})["contradiction"]
    assert (settled["status"], settled["kept"]) == ("settled", keep) and len(settled["records"]) == 2
    assert get(client, "/contradictions", status="open")["contradictions"] == []
    assert set(ids(get(client, "/records", q="live"))) == ({"r2"} if keep else {"r1", "r2"})
    send(client, "POST", f"/contradictions/{opened.id}/settle", {}, status=400)


def test_a_contradiction_that_was_settled_can_be_opened_again_and_settled_otherwise(
    client: FlaskClient, database: Database
) -> None:
    remember(database, a_record("r1", "I live in Oslo."), a_record("r2", "I live in Rome."))
    opened = dispute(database, "r1", "r2")
    for keep, other in (("r1", "r2"), (None, "r1"), ("r2", None)):
        send(client, "POST", f"/contradictions/{opened.id}/settle", {"keep": keep})
        refused = send(client, "POST", f"/contradictions/{opened.id}/settle", {"keep": other}, status=409)
        assert "open it again first" in refused["error"]["message"]
        again = send(client, "POST", f"/contradictions/{opened.id}/reopen")["contradiction"]
        assert again["status"] == "open" and {one["status"] for one in again["records"]} == {"current"}
    send(client, "POST", "/contradictions/absent/reopen", status=404)


def test_the_graph_around_a_node(client: FlaskClient, store: WorkspaceStore) -> None:
    for name in ("anna", "acme", "oslo"):
        store.graph.add_node(Node(id=name, key=name, name=name.title(), record_ids=("r1",), updated_at=MOMENT))
    edge = Edge(id="e1", source="anna", target="acme", label="works at", record_id="r1", updated_at=MOMENT)
    store.graph.add_edges([edge])
    around = get(client, "/graph", about="anna", hops=1)
    assert {one["id"] for one in around["nodes"]} == {"anna", "acme"} and len(around["edges"]) == 1
    whole = get(client, "/graph", limit=2)
    assert len(whole["nodes"]) == 2 and whole["truncated"] is True


def test_focus_identity_and_topics_come_together_and_may_be_none(client: FlaskClient) -> None:
    assert get(client, "/focus") == {"focus": None, "identity": None, "topics": []}
