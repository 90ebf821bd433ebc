"""What an event looks like on the wire, read by Google's own classes and by functions-framework's library."""

from __future__ import annotations

from typing import Any

import pytest
from cloudevents.http import from_http
from google.events.cloud.firestore import DocumentEventData

from infra.local.eventarc.events import event_of
from tests.unit.local.eventarc.conftest import PREFIX, Bench, trigger


def read(body: bytes) -> Any:
    data = DocumentEventData()
    data._pb.ParseFromString(body)
    return data


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [(None, {"a": "1"}, "created"), ({"a": "1"}, {"a": "2"}, "updated"), ({"a": "1"}, None, "deleted")],
)
def test_each_kind_carries_old_and_new_value_and_mask_as_production_does(
    bench: Bench, old: dict[str, str] | None, new: dict[str, str] | None, kind: str
) -> None:
    bench.start(trigger("f", kind))
    bench.log.write("notes/1", old, new)
    bench.settle()
    data = read(bench.delivered[0].body)
    assert ("value" in data) == (new is not None)
    assert ("old_value" in data) == (old is not None)
    assert list(data.update_mask.field_paths) == (["a"] if kind == "updated" else [])
    assert ("update_mask" in data) == (kind == "updated")
    if new is not None:
        assert data.value.name.endswith("/documents/notes/1")
        assert data.value.fields["a"].string_value == new["a"]


def test_only_the_kinds_asked_for_are_heard(bench: Bench) -> None:
    bench.start(trigger("c", "created"), trigger("u", "updated"), trigger("d", "deleted"), trigger("w", "written"))
    bench.log.write("notes/1", None, {"a": "1"})
    bench.log.write("notes/1", {"a": "1"}, {"a": "2"})
    bench.log.write("notes/1", {"a": "2"}, None)
    bench.settle()
    assert sorted(request.function for request in bench.delivered) == ["c", "d", "u", "w", "w", "w"]


def test_the_headers_are_a_binary_cloud_event(bench: Bench) -> None:
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {"a": "1"})
    bench.settle()
    request = bench.delivered[0]
    event = from_http(request.headers, request.body)
    assert event["type"] == PREFIX + "written"
    assert event["source"] == "//firestore.googleapis.com/projects/memex-local/databases/(default)"
    assert event["subject"] == "documents/notes/1"
    assert (event["document"], event["project"], event["location"]) == ("notes/1", "memex-local", "us-central1")
    assert (event["database"], event["namespace"]) == ("(default)", "(default)")
    assert event["time"] == "2026-01-01T00:00:01.000000Z"
    assert request.headers["content-type"] == "application/protobuf"
    assert event.data == request.body


def test_two_functions_on_one_document_get_the_same_event_id(bench: Bench) -> None:
    bench.start(trigger("f"), trigger("g", "created"))
    bench.log.write("notes/1", None, {"a": "1"})
    bench.settle()
    assert len({request.headers["ce-id"] for request in bench.delivered}) == 1
    assert {request.headers["ce-type"] for request in bench.delivered} == {PREFIX + "written", PREFIX + "created"}


def test_two_changes_of_one_document_have_two_ids(bench: Bench) -> None:
    bench.log.write("notes/1", None, {"a": "1"})
    bench.log.write("notes/1", {"a": "1"}, None)
    assert len({event_of(change).id for change in bench.log.kept}) == 2


def test_a_name_beyond_ascii_is_percent_encoded_in_headers(bench: Bench) -> None:
    bench.start(trigger("f"))
    bench.log.write("notes/grün 100%", None, {})
    bench.settle()
    assert bench.delivered[0].headers["ce-document"] == "notes/gr%C3%BCn%20100%25"


@pytest.mark.parametrize("root", ["projects/other/databases/(default)", "projects/memex-local/databases/second"])
def test_other_databases_and_projects_are_not_heard(bench: Bench, root: str) -> None:
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {}, under=f"{root}/documents")
    bench.settle()
    assert bench.delivered == []
    assert bench.part is not None
    assert bench.part.idle
