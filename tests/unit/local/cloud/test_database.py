"""A database whose disk takes no more: nothing is half done, it is said, and afterwards all goes on."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from flask import Blueprint
from google.api_core import exceptions
from google.cloud.firestore_v1 import Client

from infra.local.clock import RealClock
from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.database import Database, failures_in, storage_failure
from infra.local.faults import Faults
from infra.local.front.app import services
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3] / "support" / "functions_root"
LARGE = "x" * 200_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "a.sqlite", "CREATE TABLE IF NOT EXISTS things (n INTEGER, text TEXT)")
    yield database
    database.close()


def fill_up(database: Database) -> None:
    """No page more than there are, as on a disk that is full."""
    with database.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")


def make_room(database: Database) -> None:
    with database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")


def add(database: Database, text: str) -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO things VALUES (1, 'small')")
        connection.execute("INSERT INTO things VALUES (2, ?)", (text,))


def count(database: Database) -> int:
    return int(database.read().execute("SELECT count(*) FROM things").fetchone()[0])


def test_a_write_that_the_disk_does_not_take_is_undone_whole_and_the_next_one_works(database: Database) -> None:
    fill_up(database)
    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError, match="full"):
            add(database, LARGE)
    assert count(database) == 0
    make_room(database)
    add(database, LARGE)
    assert count(database) == 2


def test_it_is_logged_once_and_known_until_a_write_succeeds(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill_up(database)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            with pytest.raises(sqlite3.OperationalError):
                add(database, LARGE)
    assert len(caplog.records) == 1
    assert failures_in(tmp_path) == {"a.sqlite": "database or disk is full"}
    assert failures_in(tmp_path / "elsewhere") == {}
    make_room(database)
    assert failures_in(tmp_path) == {}


def test_an_error_of_ours_is_no_failure_of_the_disk(database: Database, tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as wrong, database.write() as connection:
        connection.execute("SELECT nothing FROM nowhere")
    assert storage_failure(wrong.value) == "" and failures_in(tmp_path) == {}
    add(database, "small")


def test_a_write_within_a_write_is_refused_and_leaves_the_outer_one_alone(database: Database) -> None:
    with database.write() as outer:
        outer.execute("INSERT INTO things VALUES (1, 'outer')")
        with pytest.raises(sqlite3.OperationalError), database.write():
            raise AssertionError("it was let in")
    assert count(database) == 1


def test_a_full_disk_is_resource_exhausted_to_firestore_clients_and_shown_in_health(tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(ROOT, tmp_path, functions="none"))
    address = cloud.start().grpc
    client = _client(address)
    try:
        assert cloud.health()["status"] == "ok" and cloud.health()["storage"] == {}
        store = cloud.services.firestore._engine.store.db
        fill_up(store)
        with pytest.raises(exceptions.ResourceExhausted, match="cannot write its data: database or disk is full"):
            client.document("things/1").set({"a": LARGE}, retry=None)
        assert cloud.health()["status"] == "degraded"
        assert cloud.health()["storage"] == {"firestore.sqlite": "database or disk is full"}
        make_room(store)
        client.document("things/1").set({"a": LARGE}, retry=None)
        wait_until(lambda: cloud.health()["status"] == "ok")
    finally:
        client.close()
        cloud.close()


def _client(address: str) -> Client:
    with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=address):
        return Client(project="memex-local")


def test_a_full_disk_is_429_to_rest_clients(database: Database) -> None:
    pages = Blueprint("things", __name__)
    pages.add_url_rule("/things", "things", lambda: add(database, LARGE), methods=["POST"])
    clock = RealClock(1)
    fill_up(database)
    answer = services([pages], Faults(clock)).test_client().post("/things")  # type: ignore[attr-defined]
    clock.close()
    assert answer.status_code == 429
    assert answer.json["error"]["status"] == "RESOURCE_EXHAUSTED" and "disk is full" in answer.json["error"]["message"]
