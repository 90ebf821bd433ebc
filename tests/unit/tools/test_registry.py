"""The registry: what it offers, what it checks, how it bounds a call."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from shared.contracts.base import Model
from shared.contracts.sources import Source
from shared.errors import InputError, Transient
from shared.gateway.transport import Cut
from shared.store.workspace import WorkspaceStore
from shared.tools import make_digest
from shared.tools.catalogue import TOOLS, acting, proposing
from shared.tools.registry import Registry
from shared.tools.tool import Job, Tool
from tests.support.jobs import job
from tests.support.seams import FakeClock

NAMES = {
    "search_notes",
    "list_recent_notes",
    "read_note",
    "recall_memory",
    "search_documents",
    "list_documents",
    "read_document",
    "analyse_dataframe",
    "make_plot",
    "create_note",
    "update_note",
    "list_tasks",
    "create_tasks",
    "update_task",
    "start_research",
    "web_search",
    "fetch_url",
}


class Nothing(Model):
    pass


def a_tool(run: Any, **fields: Any) -> Registry:
    return Registry([Tool("t", Nothing, run, **fields)])


def test_the_tools_are_offered_with_plain_schemas_and_a_description() -> None:
    assert {spec.name for spec in acting().specs()} == NAMES | {"make_digest"}
    assert {spec.name for spec in proposing().specs()} == NAMES | {"queue_approval"}
    for spec in proposing().specs():
        said = json.dumps(dict(spec.parameters))
        assert spec.description and "$ref" not in said and "anyOf" not in said and "additionalProperties" not in said
        assert spec.parameters["type"] == "object"


def test_no_tool_takes_a_workspace() -> None:
    assert not [spec.name for spec in proposing().specs() if "workspace" in json.dumps(dict(spec.parameters))]


def test_a_field_called_title_stays_in_the_schema() -> None:
    create = next(spec for spec in acting().specs() if spec.name == "create_note")
    assert set(create.parameters["properties"]) == {"title", "body", "tags"} and create.parameters["required"] == [
        "body"
    ]


def test_what_changes_something_can_be_previewed() -> None:
    assert {tool.name for tool in TOOLS if tool.mutates} == {
        "create_note",
        "update_note",
        "create_tasks",
        "update_task",
        "start_research",
        "start_run",
    }
    assert make_digest.TOOL.mutates


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("drop_notes", {}, "There is no tool 'drop_notes'; there are: search_notes"),
        ("create_tasks", {"tasks": [{"title": "a", "due": "tomorrow"}]}, "tasks.0.due"),
        ("create_tasks", {}, "tasks: Field required"),
        ("update_note", {"note_id": "n", "changes": {"title": "x"}}, "changes.title"),
        ("create_note", {"body": "x", "workspace": "other"}, "workspace"),
        ("create_note", {"body": "x", "tags": ["two words"]}, "tags.0"),
    ],
)
def test_a_malformed_call_names_what_to_mend(
    store: WorkspaceStore, clock: FakeClock, name: str, arguments: dict[str, Any], said: str
) -> None:
    outcome = acting().call(job(store, clock), name, arguments)
    assert not outcome.ok and outcome.malformed and said in outcome.result["error"]["message"]


def test_a_refusal_of_the_tool_is_a_result_and_not_malformed(store: WorkspaceStore, clock: FakeClock) -> None:
    outcome = acting().call(job(store, clock), "read_note", {"note_id": "none"})
    assert not outcome.ok and not outcome.malformed and outcome.result["error"]["code"] == "not_found"


def test_a_bug_of_a_tool_is_told_without_its_words(store: WorkspaceStore, clock: FakeClock) -> None:
    def run(_job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        raise ValueError("secret")

    outcome = a_tool(run).call(job(store, clock), "t", {})
    assert not outcome.ok and "secret" not in json.dumps(dict(outcome.result))


def test_what_failed_in_passing_is_made_once_more_where_it_may_be(store: WorkspaceStore, clock: FakeClock) -> None:
    calls: list[int] = []

    def run(_job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        calls.append(1)
        if len(calls) == 1:
            raise Transient("later")
        return {"calls": len(calls)}

    assert a_tool(run).call(job(store, clock), "t", {}).result == {"calls": 2}
    calls.clear()
    assert not a_tool(run, repeatable=False).call(job(store, clock), "t", {}).ok
    assert len(calls) == 1


def test_what_is_refused_is_not_made_again(store: WorkspaceStore, clock: FakeClock) -> None:
    calls: list[int] = []

    def run(_job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        calls.append(1)
        raise InputError("no")

    assert not a_tool(run).call(job(store, clock), "t", {}).ok and len(calls) == 1


def test_a_tool_that_takes_too_long_is_left_behind(store: WorkspaceStore, clock: FakeClock) -> None:
    end, cuts = threading.Event(), list[Cut]()

    def run(job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        cuts.append(job.cut)
        end.wait(20)
        return {}

    outcome = a_tool(run, timeout_seconds=0.1).call(job(store, clock), "t", {})
    end.set()
    assert not outcome.ok and outcome.result["error"]["code"] == "timed_out" and cuts[0].reason == "deadline"


def test_a_cut_ends_the_wait_for_a_tool(store: WorkspaceStore, clock: FakeClock) -> None:
    begun, end, cut = threading.Event(), threading.Event(), Cut()

    def run(_job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        begun.set()
        end.wait(20)
        return {}

    outcomes: list[Any] = []
    registry = a_tool(run)
    thread = threading.Thread(target=lambda: outcomes.append(registry.call(job(store, clock, cut=cut), "t", {})))
    thread.start()
    assert begun.wait(5)
    cut.cut("cancelled")
    thread.join(2)
    end.set()
    assert not thread.is_alive() and not outcomes[0].ok


@pytest.mark.parametrize(
    "result",
    [
        {"text": "x" * 100_000},
        {"rows": [{"title": f"row {n}", "text": "y" * 100} for n in range(2_000)]},
        {f"field {n}": "z" * 50 for n in range(3_000)},
    ],
    ids=["text", "list", "object"],
)
def test_a_long_answer_is_cut_with_a_mark(store: WorkspaceStore, clock: FakeClock, result: dict[str, Any]) -> None:
    outcome = a_tool(lambda _job, _arguments: result, output_bytes=8_000).call(job(store, clock), "t", {})
    said = json.dumps(dict(outcome.result))
    assert outcome.ok and len(said) <= 8_000 and ("cut" in said or "left_out" in said)


def test_what_can_be_cited_comes_with_the_outcome_and_not_with_a_failure(
    store: WorkspaceStore, clock: FakeClock
) -> None:
    def cited(answer: Mapping[str, Any]) -> tuple[Source, ...]:
        return (Source(title=answer["title"], note_id="n1"),)

    found = a_tool(lambda _job, _arguments: {"title": "Bread"}, sources=cited)
    assert found.call(job(store, clock), "t", {}).sources == (Source(title="Bread", note_id="n1"),)

    def failing(_job: Job, _arguments: Nothing) -> Mapping[str, Any]:
        raise InputError("No.")

    assert a_tool(failing, sources=cited).call(job(store, clock), "t", {}).sources == ()
