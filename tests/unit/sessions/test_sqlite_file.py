"""The SQLite file: shared by processes, taken over no fork, private, and refused where it is none of ours."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from pathlib import Path

import pytest

from shared.errors import Transient
from shared.sessions import sqlite
from shared.sessions.errors import StoreBroken, UnreadableCheckpoint, VersionConflict
from shared.sessions.sqlite import SqliteShelf
from shared.sessions.store import Store
from tests.contract.sessions.world import envelope


def count_up(path: Path, who: str, times: int) -> None:
    """What a process of its own does: reads, adds one, saves; again where another was faster."""
    store, saved = Store(SqliteShelf(path)), 0
    while saved < times:
        found = store.hydrate("s1")
        try:
            store.persist("s1", envelope(1 if found is None else found.version + 1, by=who))
        except VersionConflict:
            continue
        saved += 1
    store.close()


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path, spawn = tmp_path / "sessions.sqlite", multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=count_up, args=(path, f"p{n}", 15)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    found = Store(SqliteShelf(path)).hydrate("s1")
    assert found is not None and found.version == 45


def test_a_process_that_was_forked_opens_a_connection_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = SqliteShelf(tmp_path / "sessions.sqlite")
    store = Store(shelf)
    store.persist("s1", envelope(1))
    before = shelf._connection
    monkeypatch.setattr(os, "getpid", lambda: 0)
    assert store.hydrate("s1") == envelope(1) and shelf._connection is not before
    store.close()
    assert before is not None
    before.close()


def test_the_file_is_its_owners_alone_and_says_that_it_is_for_one_machine(tmp_path: Path) -> None:
    path = tmp_path / "new" / "sessions.sqlite"
    store = Store(SqliteShelf(path))
    store.persist("s1", envelope(1))
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
    assert "one machine" in store.about and str(path) in store.about and store.where == str(path)
    with sqlite3.connect(path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()
    store.close()


def test_a_file_that_is_none_of_ours_is_refused_by_name(tmp_path: Path) -> None:
    text, later = tmp_path / "text", tmp_path / "later"
    text.write_text("no database " * 200)
    with sqlite3.connect(later) as made:
        made.execute("PRAGMA user_version = 9")
    made.close()
    for path in (text, later):
        store = Store(SqliteShelf(path))
        with pytest.raises(StoreBroken, match=path.name):
            store.hydrate("s1")
        store.close()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreBroken, match="SESSIONS_PATH"):
        Store(SqliteShelf(tmp_path / "file" / "sessions.sqlite")).hydrate("s1")


def test_a_folder_that_became_read_only_is_said_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(SqliteShelf(tmp_path / "sessions.sqlite"))
    store.persist("s1", envelope(1))
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **options: connect(f"file:{path}?mode=ro", uri=True, **options)
    )
    refused = Store(SqliteShelf(tmp_path / "sessions.sqlite"))
    with pytest.raises(StoreBroken, match="SESSIONS_PATH"):
        refused.persist("s1", envelope(2))
    refused.close()
    store.close()


def test_a_file_that_was_removed_or_replaced_is_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = Store(SqliteShelf(path))
    store.persist("s1", envelope(1))
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        (tmp_path / name).unlink()
    store.persist("s2", envelope(1))
    other = Store(SqliteShelf(path))
    assert other.hydrate("s1") is None and other.hydrate("s2") == envelope(1)
    other.close()
    store.close()


def test_what_is_no_text_any_more_is_there_and_unreadable_and_can_be_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = Store(SqliteShelf(path))
    store.persist("s1", envelope(1))
    damage(path, "UPDATE checkpoints SET envelope = CAST(x'7b22ff' AS TEXT)")
    with pytest.raises(UnreadableCheckpoint, match="s1"):
        store.hydrate("s1")
    with pytest.raises(UnreadableCheckpoint, match="s1"):
        store.persist("s1", envelope(2))
    assert store.forget("s1") and store.hydrate("s1") is None
    store.close()


def test_a_row_whose_moment_is_damaged_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = Store(SqliteShelf(path))
    store.persist("s1", envelope(1))
    damage(path, "UPDATE checkpoints SET saved_at = 'junk'")
    with pytest.raises(StoreBroken, match="s1"):
        store.list_by_user("demo")
    store.close()


def damage(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as other:
        other.execute(statement)
    other.close()


def test_a_file_that_another_holds_is_waited_for_and_then_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    path = tmp_path / "sessions.sqlite"
    store = Store(SqliteShelf(path))
    store.persist("s1", envelope(1))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Transient, match="locked"):
        store.persist("s1", envelope(2))
    other.execute("ROLLBACK")
    store.persist("s1", envelope(2))
    assert store.hydrate("s1") == envelope(2)
    other.close()
    store.close()
