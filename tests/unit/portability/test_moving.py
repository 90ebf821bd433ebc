"""A workspace goes out and comes in again: the same, at rest, and without anything that follows from it."""

from __future__ import annotations

import math
import random
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client, GeoPoint
from google.cloud.firestore_v1.vector import Vector

from shared.contracts.portability import IMPORT_MARK, ImportBegin, ImportDocuments, PortableDocument
from shared.errors import Conflict, InputError, NotFound
from shared.portability import exporting as exporting_module
from shared.portability.importing import NotEmpty
from shared.store import paths
from shared.store.workspace import WorkspaceStore
from tests.support.seams import CountingIds, FakeClock
from tests.unit.portability.moving import exported, exporting, fresh, importing, move, outcomes

AT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def put(client: Client, workspace: str, path: str, **fields: Any) -> None:
    client.document(f"workspaces/{workspace}/{path}").set(fields)


def get(client: Client, workspace: str, path: str) -> dict[str, Any]:
    found = client.document(f"workspaces/{workspace}/{path}").get()
    return dict(found.to_dict() or {})


def without_access(files: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: lines for name, lines in files.items() if name not in ("members", "workspace")}


def test_every_kind_of_value_comes_back_as_it_was_and_a_second_export_is_the_same(
    firestore: Client, workspace: str
) -> None:
    target = fresh()
    values = {
        "text": "Ägypten ☕ \U0001f9ea \x00 \u2028",
        "whole": 1,
        "double": 1.0,
        "small": -0.0,
        "none": None,
        "nan": math.nan,
        "infinite": -math.inf,
        "big": 2**63 - 1,
        "moment": datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone.utc),
        "bytes": bytes(range(256)),
        "map": {"a": {"b": [1, {"c": 2.5}]}, "é": {"x": []}},
        "dollar": {"$timestamp": "not one", "x": 1},
        "dollar_alone": {"$bytes": "AA=="},
        "point": GeoPoint(48.2, 16.4),
        "vector": Vector([0.1, 0.2, 1.0]),
        "endless": Vector([math.inf, 1.0]),
        "inside": firestore.document(f"workspaces/{workspace}/notes/n2"),
        "outside": firestore.document("elsewhere/x"),
        "$field": True,
        "with.dots and `ticks`": "ok",
    }
    put(firestore, workspace, "tasks/t1", **values)
    put(firestore, workspace, "tasks/ünï cödé 🎈", v=1)
    put(firestore, workspace, "notes/n1/events/00000001", data={"large": "x" * 1_000_000}, seq=1)
    first = exported(firestore, workspace)
    assert outcomes(move(firestore, workspace, target)) == {"created": 3}
    assert exported(firestore, target) == first
    back = get(firestore, target, "tasks/t1")
    assert back["inside"].path == f"workspaces/{target}/notes/n2" and back["outside"].path == "elsewhere/x"
    assert isinstance(back["whole"], int) and isinstance(back["double"], float) and math.isnan(back["nan"])
    assert back["moment"] == values["moment"] and back["vector"] == values["vector"]


def test_pages_are_small_and_lose_nothing(firestore: Client, workspace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(7):
        put(firestore, workspace, f"notes/n{n}/parts/0", n=0, text=str(n) * 100)
        put(firestore, workspace, f"notes/n{n}/events/00000001", seq=1)
    put(firestore, workspace, "checkpoints/c/parts/x", bytes=b"1")
    whole = exported(firestore, workspace)
    assert len(whole["parts"]) == 7, "what lies in another collection of that name stays behind"
    monkeypatch.setattr(exporting_module, "EXPORT_PAGE_DOCUMENTS", 2)
    monkeypatch.setattr(exporting_module, "EXPORT_PAGE_BYTES", 150)
    assert exported(firestore, workspace) == whole


def test_an_export_shows_one_moment(firestore: Client, workspace: str) -> None:
    put(firestore, workspace, "tasks/a", v=1)
    before = exporting(firestore, workspace)
    begun = before.begin()
    put(firestore, workspace, "tasks/a", v=2)
    put(firestore, workspace, "tasks/b", v=1)
    assert [dict(one.fields) for one in before.page("tasks", begun.at, None).documents] == [{"v": 1}]


def test_what_is_no_collection_or_no_cursor_is_refused(firestore: Client, workspace: str) -> None:
    begun = exporting(firestore, workspace).begin()
    with pytest.raises(NotFound):
        exporting(firestore, workspace).page("checkpoints", begun.at, None)
    with pytest.raises(InputError):
        exporting(firestore, workspace).page("notes", begun.at, "WyIuLi94Il0")


def test_a_collection_that_nobody_knows_is_told(firestore: Client, workspace: str) -> None:
    put(firestore, workspace, "novelties/x", v=1)
    assert exporting(firestore, workspace).begin().unknown == ("novelties",)


def in_flight(firestore: Client, workspace: str) -> None:
    """An operation, a turn, a run with steps, jobs and an upload, all under way."""
    put(firestore, workspace, "operations/op", status="running", seq=2, cancel_pending=False, updated_at=AT)
    for seq in (1, 2):
        put(firestore, workspace, f"operations/op/events/0000000{seq}", seq=seq, type="created", at=AT, id=f"op-{seq}")
    put(firestore, workspace, "operations/done", status="cancelled", cancel_pending=True, seq=0)
    usage = {"v": 1, "input_tokens": 3, "output_tokens": 1}
    turn = {"id": "t1", "n": 2, "usage": usage, "lease_expires_at": AT}
    put(firestore, workspace, "chat_sessions/s", seq=4, turn=turn, usage={"v": 1, "input_tokens": 10}, updated_at=AT)
    put(firestore, workspace, "chat_sessions/s/events/00000004", seq=4, type="user_message", at=AT, id="s-4")
    put(firestore, workspace, "chat_sessions/s/turns/t1", status="running", last_seq=0, updated_at=AT)
    put(firestore, workspace, "chat_sessions/s/turns/t0", status="completed", last_seq=3, updated_at=AT)
    put(firestore, workspace, "chat_sessions/s/drafts/t1", text="I thi")
    put(firestore, workspace, "agent_runs/r", status="running", active=True, seq=1, goal="Find out", updated_at=AT)
    put(firestore, workspace, "agent_runs/r/events/00000001", seq=1, type="run_started", at=AT, id="r-1")
    put(firestore, workspace, "agent_runs/r/steps/s1", status="running", lease_expires_at=AT, updated_at=AT)
    put(firestore, workspace, "agent_runs/r/steps/s0", status="succeeded", updated_at=AT)
    put(firestore, workspace, "memory_jobs/j1", kind="committer", status="pending", updated_at=AT)
    for n in range(8):
        put(firestore, workspace, f"brain_counts/{n}", agents={"committer": {"v": 1, "pending": 1, "done": 2}})
    put(firestore, workspace, "documents/d", status="extracting", updated_at=AT)
    put(firestore, workspace, "leases/spending", holds={"r": {}})
    put(firestore, workspace, "leases/job_abc", job_id="j1")
    put(firestore, workspace, "leases/routine-digest-2026-11-30", done=True)
    put(firestore, workspace, "leases/research-n1", operation_id="op", tagged_at=AT)


def test_what_was_under_way_is_ended_with_an_event_and_nothing_of_it_is_held(firestore: Client, workspace: str) -> None:
    in_flight(firestore, workspace)
    target, begun = fresh(), exporting(firestore, workspace).begin()
    first = exported(firestore, workspace, begun)
    assert "drafts" not in first and len(first["leases"]) == 2
    move(firestore, workspace, target, begun=begun)
    assert exported(firestore, target) == first
    operation = get(firestore, target, "operations/op")
    assert (operation["status"], operation["error"]["code"], operation["seq"]) == ("cancelled", "exported", 3)
    assert operation["stream_ended"] and get(firestore, target, "operations/done")["cancel_pending"] is False
    last = get(firestore, target, "operations/op/events/00000003")
    assert (last["type"], last["terminal"], last["data"]["code"]) == ("cancelled", True, "exported")
    session = get(firestore, target, "chat_sessions/s")
    assert (session["turn"], session["seq"], session["usage"]["input_tokens"]) == (None, 5, 13)
    turn = get(firestore, target, "chat_sessions/s/turns/t1")
    assert (turn["status"], turn["last_seq"], turn["usage"]["output_tokens"]) == ("cancelled", 5, 1)
    assert get(firestore, target, "chat_sessions/s/turns/t0")["last_seq"] == 3
    assert get(firestore, target, "chat_sessions/s/events/00000005")["data"]["turn_id"] == "t1"
    run = get(firestore, target, "agent_runs/r")
    assert (run["status"], run["active"], run["seq"]) == ("cancelled", False, 2)
    assert get(firestore, target, "agent_runs/r/events/00000002")["type"] == "run_completed"
    assert get(firestore, target, "agent_runs/r/steps/s1")["status"] == "cancelled"
    assert get(firestore, target, "agent_runs/r/steps/s0")["status"] == "succeeded"
    assert get(firestore, target, "memory_jobs/j1")["status"] == "cancelled"
    counts = [get(firestore, target, f"brain_counts/{n}")["agents"]["committer"] for n in range(8)]
    assert sum(one["pending"] for one in counts) == 7 and sum(one.get("cancelled", 0) for one in counts) == 1
    document = get(firestore, target, "documents/d")
    assert (document["status"], document["error"]["code"]) == ("failed", "exported")


def test_an_export_that_was_changed_by_hand_starts_nothing_either(firestore: Client) -> None:
    target = fresh()
    into = importing(firestore, target)
    into.begin(ImportBegin(export_id="x"))
    wanted = [
        PortableDocument(path="operations/op", fields={"status": "running", "seq": 0}),
        PortableDocument(path="leases/spending", fields={"holds": {}}),
        PortableDocument(path="leases/research-n", fields={"tagged_at": None}),
        PortableDocument(path="members/m", fields={"email": "eve@example.com", "role": "owner"}),
        PortableDocument(path="", fields={"plan": "pro"}),
        PortableDocument(path="sweeps/x", fields={}),
        PortableDocument(path="notes/n/secrets/s", fields={}),
        PortableDocument(path="checkpoints/c", fields={}),
    ]
    results = into.documents(ImportDocuments(export_id="x", documents=tuple(wanted))).results
    assert outcomes(list(results)) == {"created": 1, "left_out": 7}
    assert get(firestore, target, "operations/op")["status"] == "cancelled"
    assert get(firestore, target, "members/m") == {}
    for path in ("notes/../x", "notes//x", "notes/__x__", "notes/n/parts"):
        odd = ImportDocuments(export_id="x", documents=(PortableDocument(path=path, fields={}),))
        try:
            assert into.documents(odd).results[0].outcome == "left_out"
        except InputError:
            continue
    with pytest.raises(InputError):
        bad = PortableDocument(path="notes/n", fields={"x": {"$timestamp": "yesterday"}})
        into.documents(ImportDocuments(export_id="x", documents=(bad,)))


def test_members_plan_and_quotas_come_in_only_where_that_is_asked_for(firestore: Client) -> None:
    target = fresh()
    into = importing(firestore, target)
    into.begin(ImportBegin(export_id="x"))
    ada = {"email": "ada@example.com", "role": "reader", "added_at": {"$timestamp": "2026-11-30T12:00:00Z"}}
    place = paths.member("ada@example.com")
    given = (PortableDocument(path=place, fields=ada), PortableDocument(path="", fields={"v": 1, "name": "Home"}))
    results = into.documents(ImportDocuments(export_id="x", documents=given, access=True)).results
    assert outcomes(list(results)) == {"created": 2} and get(firestore, target, place)["role"] == "reader"


SPENT = {"count": 1, "input_tokens": 10, "output_tokens": 1, "searches": 0, "usd_micros": 5}


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("", {"plan": "pro"}),
        ("", {"quotas": {"usd": 1e6}}),
        ("", {"features": {"agent_runs": True}}),
        ("", {"plan": "gold"}),
        (
            "members/hidden",
            {"email": "eve@example.com", "role": "owner", "added_at": {"$timestamp": "2026-11-30T12:00Z"}},
        ),
        (paths.member("eve@example.com"), {"email": "eve@example.com", "role": "operator"}),
        ("usage/2026-12/shards/0", {"kinds": {"chat": SPENT | {"usd_micros": -5}}}),
        ("usage/2026-12/shards/0", {"kinds": "none"}),
    ],
)
def test_an_import_gives_no_plan_hides_no_member_and_takes_back_no_spending(
    firestore: Client, path: str, fields: dict[str, Any]
) -> None:
    target = fresh()
    into = importing(firestore, target)
    into.begin(ImportBegin(export_id="x"))
    good = PortableDocument(path="usage/2026-12/shards/1", fields={"v": 1, "kinds": {"chat": SPENT}})
    wanted = ImportDocuments(export_id="x", documents=(PortableDocument(path=path, fields=fields), good), access=True)
    assert outcomes(list(into.documents(wanted).results)) == {"left_out": 1, "created": 1}
    assert not firestore.document(f"workspaces/{target}/{path}".rstrip("/")).get().exists


@pytest.mark.parametrize("value", [float("inf"), {"$vector": [float("inf")]}, [float("-inf")]])
def test_a_number_that_is_none_is_refused(firestore: Client, value: Any) -> None:
    into = importing(firestore, fresh())
    into.begin(ImportBegin(export_id="x"))
    with pytest.raises(InputError, match="too large"):
        into.documents(
            ImportDocuments(export_id="x", documents=(PortableDocument(path="notes/n", fields={"x": value}),))
        )


def test_a_moment_to_come_is_refused_as_one(firestore: Client, workspace: str) -> None:
    with pytest.raises(InputError, match="at: "):
        exporting(firestore, workspace).page("notes", datetime(9000, 1, 1, tzinfo=timezone.utc), None)


def test_a_note_with_the_tag_is_not_researched_where_it_comes_in(firestore: Client, workspace: str) -> None:
    put(firestore, workspace, "notes/n1", kind="capture", tags=["research"])
    put(firestore, workspace, "notes/n2", kind="capture", tags=["research"])
    put(firestore, workspace, "notes/n3", kind="research", tags=["research"])
    put(firestore, workspace, "leases/research-n2", operation_id="op", tagged_at=AT, untagged_at=None)
    target = fresh()
    move(firestore, workspace, target)
    quiet = get(firestore, target, "leases/research-n1")
    assert quiet["operation_id"] is None and quiet["tagged_at"] > AT
    assert get(firestore, target, "leases/research-n2")["operation_id"] == "op"
    assert get(firestore, target, "leases/research-n3") == {}
    assert get(firestore, target, "notes/n1")[IMPORT_MARK] is True
    assert exported(firestore, target) == exported(firestore, workspace), "marks and quiet claims are not exported"


def test_the_index_of_a_note_follows_the_moments_of_the_new_place(firestore: Client, workspace: str) -> None:
    put(firestore, workspace, "notes/n1", kind="capture")
    put(firestore, workspace, "notes/stale", kind="capture")
    late = firestore.document(f"workspaces/{workspace}/notes/n1").get().update_time + timedelta(minutes=1)
    put(firestore, workspace, "note_index/n1", note_updated_at=late, terms=["rye"], claimed_hash="x")
    put(firestore, workspace, "note_index/stale", note_updated_at=AT)
    put(firestore, workspace, "note_index/gone", note_updated_at=late)
    target = fresh()
    move(firestore, workspace, target)
    index = get(firestore, target, "note_index/n1")
    assert index["note_updated_at"] == firestore.document(f"workspaces/{target}/notes/n1").get().update_time
    assert index["claimed_hash"] == "" and get(firestore, target, "note_index/stale") == {}
    assert exported(firestore, target) == exported(firestore, workspace)


def test_a_workspace_that_has_something_is_refused_and_a_merge_leaves_what_is_there(
    firestore: Client, workspace: str
) -> None:
    put(firestore, workspace, "tasks/a", v=1)
    put(firestore, workspace, "tasks/b", v=1)
    target = fresh()
    put(firestore, target, "members/m", role="owner")
    put(firestore, target, "tasks/a", v=2)
    with pytest.raises(NotEmpty):
        importing(firestore, target).begin(ImportBegin(export_id="x"))
    results = move(firestore, workspace, target, merge=True)
    assert {one.name: one.outcome.value for one in results} == {"tasks/a": "differs", "tasks/b": "created"}
    assert get(firestore, target, "tasks/a") == {"v": 2}


def test_an_import_that_broke_off_goes_on_and_again_changes_nothing(firestore: Client, workspace: str) -> None:
    for name in "abc":
        put(firestore, workspace, f"tasks/{name}", v=1)
    target = fresh()
    begun = exporting(firestore, workspace).begin()
    into = importing(firestore, target)
    assert not into.begin(ImportBegin(export_id=begun.export_id)).resumed
    page = exporting(firestore, workspace).page("tasks", begun.at, None).documents
    into.documents(ImportDocuments(export_id=begun.export_id, documents=page[:2]))
    with pytest.raises(Conflict):
        importing(firestore, target).begin(ImportBegin(export_id="another"))
    again = importing(firestore, target)
    assert again.begin(ImportBegin(export_id=begun.export_id)).resumed
    results = again.documents(ImportDocuments(export_id=begun.export_id, documents=page)).results
    assert [one.outcome.value for one in results] == ["there", "there", "created"]
    again.end(begun.export_id)
    assert again.begin(ImportBegin(export_id=begun.export_id)).resumed


def test_a_dry_run_writes_nothing(firestore: Client) -> None:
    target = fresh()
    into = importing(firestore, target)
    into.begin(ImportBegin(export_id="x", dry_run=True))
    given = (PortableDocument(path="tasks/a", fields={"v": 1}),)
    results = into.documents(ImportDocuments(export_id="x", documents=given, dry_run=True)).results
    assert outcomes(list(results)) == {"created": 1} and exported(firestore, target) == {}
    with pytest.raises(Conflict):
        into.documents(ImportDocuments(export_id="x", documents=given))


def test_a_note_that_was_in_the_trash_is_a_persons_again_when_it_is_restored(firestore: Client, workspace: str) -> None:
    at = {"created_at": AT, "updated_at": AT}
    put(firestore, workspace, "trash/n1", id="n1", by="ada", created_at=AT, expire_at=AT, note={"title": "Rye", **at})
    target = fresh()
    move(firestore, workspace, target)
    assert get(firestore, target, "trash/n1")[IMPORT_MARK] is True
    put(firestore, target, "notes/n2", title="Rye", **at, **{IMPORT_MARK: True})
    store = WorkspaceStore(firestore, target, FakeClock(), random.Random(1), CountingIds())
    for note_id in ("n1", "n2"):
        if note_id == "n2":
            store.trash.put_in(note_id, "ada")
        store.trash.take_out(note_id, "ada")
        assert IMPORT_MARK not in get(firestore, target, f"notes/{note_id}"), "what follows from a note follows again"
