"""The change log has each changed document of each commit once, with what it was and what it is."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from infra.local.clock import VirtualClock
from infra.local.firestore import wire
from infra.local.rpc import RpcError
from tests.unit.local.firestore.harness import ROOT, Local, delete, update


def test_create_update_and_delete_are_told_apart(local: Local) -> None:
    local.commit(update("c/x", {"n": 1}))
    local.commit(update("c/x", {"n": 2}))
    local.commit(delete("c/x"))
    created, updated, deleted = local.engine.log.after(0, 10)
    assert (created.old, created.new.fields["n"].integer_value, created.update_mask) == (None, 1, None)
    assert (updated.old.fields["n"].integer_value, updated.new.fields["n"].integer_value) == (1, 2)
    assert updated.update_mask == ("n",)
    assert (deleted.old.fields["n"].integer_value, deleted.new, deleted.update_mask) == (2, None, None)
    assert [change.seq for change in (created, updated, deleted)] == [1, 2, 3]
    assert created.name == f"{ROOT}/c/x"


def test_the_commit_time_is_the_update_time(local: Local) -> None:
    response = local.commit(update("c/x", {"n": 1}))
    (change,) = local.engine.log.after(0, 10)
    assert wire.micros_of(change.commit_time) == wire.timestamp_micros(change.new.update_time)
    assert change.new.update_time == response.commit_time


def test_the_mask_has_the_leaves_that_differ(local: Local) -> None:
    local.commit(update("c/x", {"a": {"b": 1, "c-d": 1, "same": 1}, "e": 1, "gone": 1, "m": {"n": 1}}))
    local.commit(update("c/x", {"a": {"b": 2, "c-d": 2, "same": 1}, "e": 1, "new": 1, "m": {}}))
    assert local.engine.log.after(1, 10)[0].update_mask == ("a.`c-d`", "a.b", "gone", "m", "new")


def test_a_write_that_changes_nothing_is_not_logged(local: Local) -> None:
    local.commit(update("c/x", {"n": float("nan")}))
    local.commit(update("c/x", {"n": float("nan")}))
    local.commit(delete("c/none"))
    local.commit(update("c/y", {}), delete("c/y"))
    assert local.engine.log.last_seq() == 1


def test_several_writes_to_one_document_in_a_commit_are_one_change(local: Local) -> None:
    local.commit(update("c/x", {"n": 1}), update("c/x", {"m": 2}, "m"))
    (change,) = local.engine.log.after(0, 10)
    assert set(change.new.fields) == {"n", "m"}


def test_a_refused_commit_is_not_logged(local: Local) -> None:
    missing = update("c/none", {})
    missing.current_document.exists = True
    with pytest.raises(RpcError):
        local.commit(update("c/x", {"n": 1}), missing)
    assert local.engine.log.after(0, 10) == []


def test_subscribers_are_poked_after_the_commit(local: Local) -> None:
    seen: list[int] = []
    local.engine.log.subscribe(lambda: seen.append(local.engine.log.last_seq()))
    local.commit(update("c/x", {"n": 1}))
    local.commit(update("c/x", {"n": 2}))
    assert seen == [1, 2]


def test_reading_goes_on_from_a_place_and_survives_a_restart(tmp_path: Path) -> None:
    local = Local(tmp_path)
    for n in range(5):
        local.commit(update("c/x", {"n": n}))
    local.engine.close()
    local = Local(tmp_path)
    local.commit(update("c/x", {"n": 9}))
    assert [change.seq for change in local.engine.log.after(3, 2)] == [4, 5]
    assert local.engine.log.last_seq() == 6
    local.engine.close()


def test_pruning_keeps_the_newest_and_never_reuses_a_number(local: Local) -> None:
    for n in range(4):
        local.commit(update("c/x", {"n": n}))
    local.engine.log.prune(99)
    assert [change.seq for change in local.engine.log.after(0, 10)] == [4]
    local.commit(delete("c/x"))
    assert local.engine.log.last_seq() == 5


def test_pruning_spares_what_an_open_transaction_may_read(local: Local) -> None:
    local.commit(update("c/x", {"n": 1}))
    transaction = local.begin()
    assert local.get("c/x", transaction) == {"n": 1}
    local.commit(update("c/x", {"n": 2}))
    local.commit(update("c/x", {"n": 3}))
    local.engine.log.prune(99)
    assert local.get("c/x", transaction) == {"n": 1}


def test_commit_times_grow_even_when_the_clock_goes_back(tmp_path: Path) -> None:
    local = Local(tmp_path)
    before = local.commit(update("c/x", {"n": 1})).commit_time
    local.engine.close()
    local = Local(tmp_path, VirtualClock(datetime(2020, 1, 1, tzinfo=timezone.utc)))
    after = local.commit(update("c/x", {"n": 2})).commit_time
    assert wire.timestamp_micros(after) > wire.timestamp_micros(before)
    local.engine.close()
