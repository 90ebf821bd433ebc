"""Looking at documents and changing them, by the same code that clients reach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.cloud import CloudConfig
from infra.local.eventarc.lane import RetryPolicy
from tests.support.waiting import wait_until
from tests.unit.local.console.conftest import ROOT, Desk, desk_of

EVERYTHING: dict[str, Any] = {
    "array": [1, {"$double": 1.0}, "x", None],
    "bytes": {"$bytes": "AP8="},
    "double": 1.5,
    "flag": True,
    "geo": {"$geo": {"latitude": 1.5, "longitude": -2.0}},
    "integer": 12,
    "large": {"$integer": "9007199254740993"},
    "map": {"inner": {"at": {"$timestamp": "2026-01-31T12:00:00.123456Z"}}},
    "nothing": None,
    "reference": {"$reference": "workspaces/demo"},
    "text": "<script>alert(1)</script>",
    "vector": {"$vector": [1.0, 2.5]},
}


def test_every_type_survives_being_created_looked_at_and_written_back(desk: Desk) -> None:
    made = desk.write("things/1", **EVERYTHING)
    seen = desk.get("firestore", path="things/1")
    assert seen["fields"] == made["fields"] == EVERYTHING
    wish = {"path": "things/1", "fields": seen["fields"], "update_time": seen["update_time"]}
    again = desk.send("PUT", "firestore", wish).json()
    assert (again["fields"], again["update_time"]) == (EVERYTHING, seen["update_time"])


def test_the_tree_is_walked_from_the_root_through_missing_documents(desk: Desk) -> None:
    desk.write("workspaces/demo/notes/1", title="one")
    root = desk.get("firestore")
    assert (root["kind"], root["collections"]) == ("root", ["workspaces"])
    workspaces = desk.get("firestore", path="workspaces")
    assert [(one["path"], one["exists"]) for one in workspaces["documents"]] == [("workspaces/demo", False)]
    demo = desk.get("firestore", path="workspaces/demo")
    assert (demo["kind"], demo["exists"], demo["collections"]) == ("document", False, ["notes"])
    notes = desk.get("firestore", path="workspaces/demo/notes")
    assert [(one["path"], one["preview"]) for one in notes["documents"]] == [("workspaces/demo/notes/1", "title: one")]


def test_a_collection_is_given_in_pages(desk: Desk) -> None:
    for number in range(5):
        desk.write(f"things/{number}", a=number)
    seen, token = [], ""
    for _ in range(3):
        page = desk.get("firestore", path="things", page_size=2, page_token=token)
        seen += [one["path"] for one in page["documents"]]
        token = page["next_page_token"]
    assert (seen, token) == ([f"things/{number}" for number in range(5)], "")


def test_a_preview_is_cut_short(desk: Desk) -> None:
    desk.write("things/1", **{f"field{number}": "x" * 500 for number in range(50)})
    (row,) = desk.get("firestore", path="things")["documents"]
    assert len(row["preview"]) < 200


def test_a_value_that_is_cut_in_a_preview_says_so(desk: Desk) -> None:
    desk.write("things/1", a="x" * 61, b="y" * 60)
    (row,) = desk.get("firestore", path="things")["documents"]
    assert row["preview"] == f"a: {'x' * 60}…, b: {'y' * 60}"


def test_a_document_that_has_changed_since_is_not_overwritten(desk: Desk) -> None:
    old = desk.write("things/1", a=1)
    new = desk.send("PUT", "firestore", {"path": "things/1", "fields": {"a": 2}, "update_time": old["update_time"]})
    for method in ("PUT", "DELETE"):
        wish = {"path": "things/1", "fields": {"a": 3}, "update_time": old["update_time"]}
        answer = desk.send(method, "firestore", wish)
        assert answer.status_code == 409
        assert answer.json()["error"]["field"] == "update_time"
        assert "nothing was written" in answer.json()["error"]["message"]
    assert desk.get("firestore", path="things/1")["fields"] == new.json()["fields"] == {"a": 2}


def test_a_write_without_the_version_that_was_seen_is_refused(shared: Desk) -> None:
    shared.write("things/1", a=1)
    for content in ({"path": "things/1", "fields": {}}, {"path": "things/1", "fields": {}, "update_time": "now"}):
        answer = shared.send("PUT", "firestore", content)
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "update_time")


def test_what_exists_is_not_created_again_and_an_id_is_made_where_none_is_given(desk: Desk) -> None:
    desk.write("things/1", a=1)
    assert desk.send("POST", "firestore", {"path": "things/1", "fields": {}}).status_code == 409
    one, other = desk.write("things", a=1), desk.write("things", a=1)
    assert one["path"] != other["path"]
    assert one["path"].startswith("things/")


def test_a_deleted_document_is_gone_and_can_be_put_back(desk: Desk) -> None:
    made = desk.write("things/1", **EVERYTHING)
    gone = desk.send("DELETE", "firestore", {"path": "things/1", "update_time": made["update_time"]})
    assert gone.status_code == 200
    assert not desk.get("firestore", path="things/1")["exists"]
    assert desk.write(made["path"], **made["fields"])["fields"] == EVERYTHING


def test_an_error_in_a_field_names_the_field(shared: Desk) -> None:
    answer = shared.send("POST", "firestore", {"path": "a/b", "fields": {"tags": ["x", {"$timestamp": "soon"}]}})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "tags[1]"
    assert answer.json()["error"]["message"].startswith('tags[1]: "soon" is no timestamp')


def test_fields_as_text_keep_what_javascript_would_lose(desk: Desk) -> None:
    made = desk.send("POST", "firestore", {"path": "a/b", "fields": '{"a": 1.0, "b": 9007199254740993}'}).json()
    assert made["fields"] == {"a": {"$double": 1.0}, "b": {"$integer": "9007199254740993"}}
    answer = desk.send("POST", "firestore", {"path": "a/c", "fields": '{"a": 1,\n"b" 2}'})
    assert "line 2" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("things/1", {"__x__": 1}, "reserved"),
        ("things/1", {"a": [[1]]}, "array value in an array"),
        ("things/1", {"a": "x" * 1_050_000}, "longer than"),
        ("things/__x__", {}, "reserved"),
        ("things//1", {}, "invalid id"),
        ("", {}, "must name a document"),
    ],
)
def test_the_limits_of_the_database_hold(shared: Desk, path: str, fields: dict[str, Any], words: str) -> None:
    answer = shared.send("POST", "firestore", {"path": path, "fields": fields})
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]


def test_other_databases_are_listed_and_browsed(desk: Desk) -> None:
    other = "projects/p/databases/other"
    wish = {"database": other, "path": "a/b", "fields": {"r": {"$reference": "a/c"}}}
    assert desk.send("POST", "firestore", wish).status_code == 201
    assert other in desk.get("firestore")["databases"]
    assert desk.get("firestore", database=other)["collections"] == ["a"]
    assert desk.get("firestore", database=other, path="a/b")["fields"] == {"r": {"$reference": "a/c"}}
    assert desk.get("firestore")["collections"] == []


def test_looking_costs_nothing_and_writing_costs_a_write(desk: Desk) -> None:
    desk.write("things/1", a=1)
    before = desk.cloud.seams.meter.totals()
    desk.get("firestore", path="things")
    desk.get("firestore", path="things/1")
    assert desk.cloud.seams.meter.totals() == before
    assert before["firestore", "document_writes"] == 1


@pytest.mark.parametrize(
    "query", [{"page_size": "0"}, {"page_size": "x"}, {"page_size": "9" * 30}, {"page_token": "%"}]
)
def test_a_malformed_query_is_400(shared: Desk, query: dict[str, str]) -> None:
    assert shared.http.get("/_cloud/firestore", params={"path": "things", **query}).status_code == 400


@pytest.fixture
def working(tmp_path: Path) -> Iterator[Desk]:
    config = CloudConfig(ROOT, functions="inline", env={"PROBE_RECORDS": str(tmp_path)}, retry=RetryPolicy(600))
    with desk_of(config) as desk:
        yield desk


def test_a_write_of_the_console_triggers_functions_like_any_other(working: Desk) -> None:
    working.write("workspaces/demo/notes/1", a=1)
    wait_until(lambda: working.get("deliveries", state="delivered")["newest"].__len__() == 2)
    functions = {one["function"] for one in working.get("deliveries")["newest"]}
    assert functions == {"on-document", "on-created"}
