"""Objects are put, read, listed and deleted the same way in a folder, in memory, and on an S3 server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shared.errors import InputError, NotFound, SettingsError, Transient, Unprocessable
from shared.gateway.objects import Objects, connect
from tests.support.s3 import S3, serve_s3


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    with serve_s3("memex") as server:
        yield server


@pytest.fixture(params=["file", "memory", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "s3":
        server: S3 = request.getfixturevalue("s3")
        return connect(f"s3://memex/{tmp_path.name}", server.options)
    return connect(tmp_path.as_uri() if request.param == "file" else "memory:///", {})


def test_what_was_put_is_got_whole_in_pieces_and_in_part(objects: Objects) -> None:
    data = bytes(range(256)) * 10_000
    assert objects.put("w/demo/one.pdf", data, "application/pdf")
    assert objects.get("w/demo/one.pdf", len(data)) == data
    pieces = list(objects.chunks("w/demo/one.pdf"))
    assert b"".join(pieces) == data
    assert objects.size("w/demo/one.pdf") == len(data)
    assert objects.get_range("w/demo/one.pdf", 255, 3) == b"\xff\x00\x01"
    assert objects.get_range("w/demo/one.pdf", len(data) - 1, 10) == b"\xff"
    assert objects.get_range("w/demo/one.pdf", len(data), 10) == objects.get_range("w/demo/one.pdf", 3, 0) == b""


def test_pieces_are_put_as_one_object(objects: Objects) -> None:
    objects.put("day.jsonl", (line for line in [b"one\n", b"two\n"]), "application/jsonl")
    assert objects.get("day.jsonl", 100) == b"one\ntwo\n"


def test_the_first_of_two_stays_where_only_an_absent_one_may_be_written(objects: Objects) -> None:
    assert objects.put("event", b"first", "text/plain", only_if_absent=True)
    assert not objects.put("event", b"second", "text/plain", only_if_absent=True)
    assert objects.get("event", 100) == b"first"
    assert objects.put("event", b"third", "text/plain") and objects.get("event", 100) == b"third"


def test_what_is_longer_than_wanted_is_not_kept_in_memory(objects: Objects) -> None:
    objects.put("long", b"x" * 101, "text/plain")
    with pytest.raises(Unprocessable, match="longer than 100"):
        objects.get("long", 100)


def test_deleting_may_be_repeated(objects: Objects) -> None:
    objects.put("gone", b"x", "text/plain")
    objects.delete("gone")
    objects.delete("gone")
    for ask in (lambda: objects.get("gone", 9), lambda: objects.size("gone"), lambda: objects.get_range("gone", 0, 1)):
        with pytest.raises(NotFound, match="no object gone"):
            ask()


def test_a_list_has_what_lies_below_whole_segments(objects: Objects) -> None:
    for name in ("a/1", "a/b/2", "ab/3"):
        objects.put(name, b"xy", "text/plain")
    found = {one.name: one.bytes for one in objects.list("a")}
    assert found == {"a/1": 2, "a/b/2": 2} and not list(objects.list("nothing"))


@pytest.mark.parametrize("name", ["", "/a", "a/", "a//b", "..", "a/../b", "a/.", "ä", "a b", "a%2fb", "a#1", "a\x00b"])
def test_a_name_that_is_none_reaches_no_store(tmp_path: Path, name: str) -> None:
    objects = connect(tmp_path.as_uri(), {})
    for ask in (lambda: objects.put(name, b"", "text/plain"), lambda: objects.size(name), lambda: objects.delete(name)):
        with pytest.raises(InputError):
            ask()


def test_a_folder_signs_nothing(tmp_path: Path) -> None:
    objects = connect(tmp_path.as_uri(), {})
    assert not objects.signs
    with pytest.raises(Unprocessable, match="signed"):
        objects.sign("a", "PUT", 60)


def test_an_s3_address_takes_an_upload_from_anyone_and_keeps_content_types(s3: S3) -> None:
    objects = connect("s3://memex/signed", s3.options)
    assert objects.signs
    assert httpx.put(objects.sign("up", "PUT", 60), content=b"from afar").status_code == 200
    assert objects.get("up", 100) == b"from afar"
    objects.put("typed", b"{}", "application/json")
    assert httpx.get(objects.sign("typed", "GET", 60)).headers["Content-Type"] == "application/json"


def test_a_bucket_that_is_not_there_is_a_matter_of_settings(s3: S3) -> None:
    objects = connect("s3://another", s3.options)
    with pytest.raises(SettingsError, match="OBJECTS_URL"):
        objects.put("a", b"x", "text/plain")


def test_a_server_that_is_gone_may_come_back() -> None:
    options = {"endpoint": "http://127.0.0.1:9", "access_key_id": "k", "secret_access_key": "s", "region": "us-east-1"}
    with pytest.raises(Transient, match="look at a"):
        connect("s3://memex", options).size("a")


@pytest.mark.parametrize(
    "url", ["", "file:relative", "file:", "file://host/x", "s3://", "http://x/y", "az://a/b", "gs:///x"]
)
def test_an_address_of_no_store_says_which_there_are(url: str) -> None:
    with pytest.raises(SettingsError, match="OBJECTS_URL"):
        connect(url, {})


def test_options_that_no_store_knows_are_refused_without_quoting_a_secret() -> None:
    with pytest.raises(SettingsError) as caught:
        connect("s3://memex", {"secret_access_kee": "very-secret"})
    assert "very-secret" not in caught.value.message


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    connect((tmp_path / "made here").as_uri(), {}).put("a", b"x", "text/plain")
    assert (tmp_path / "made here" / "a").read_bytes() == b"x"
