"""Receiving files: once for a key, whatever breaks off; by address where they are large; and deleting them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx
import pytest

from shared import faultpoint
from shared.contracts.documents import UploadCreate
from shared.documents import receiving
from shared.documents.ports import Ports, original
from shared.documents.receiving import UPLOAD_TIME, File
from shared.documents.refusals import Refused
from shared.documents.sandbox import Workers
from shared.documents.service import Documents
from shared.errors import Conflict, NotFound, Transient, Unprocessable
from shared.gateway.objects import Objects, connect
from tests.support import files
from tests.support.s3 import S3, serve_s3
from tests.support.seams import CountingIds
from tests.unit.documents.shelf import Shelf
from tests.unit.research.world import World


class Died(BaseException):
    """The process is no more."""


def test_the_same_key_is_the_same_document_and_starts_one_workflow(shelf: Shelf) -> None:
    first = shelf.documents.receive(shelf.workspace, File("a.txt", b"words", "k"))
    again = shelf.documents.receive(shelf.workspace, File("a.txt", b"words", "k"))
    assert first.created and not again.created and again.document == first.document
    assert len(shelf.world.executions.started) == 1
    with pytest.raises(Unprocessable, match="another file"):
        shelf.documents.receive(shelf.workspace, File("a.txt", b"other words", "k"))
    other = shelf.documents.receive(shelf.workspace, File("a.txt", b"words"))
    assert other.created and other.document.id != first.document.id


def test_the_same_key_several_times_at_once_is_one_document(shelf: Shelf) -> None:
    file = File("a.txt", b"words", "k")
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(shelf.documents.receive, shelf.workspace, file) for _ in range(4)]
        answers = [each.result() for each in asked]
    assert len({answer.document.id for answer in answers}) == 1
    assert len(shelf.world.operations()) == len(shelf.world.executions.started) == 1


@pytest.mark.parametrize("point", ["after_commit:document.create", "before_commit:document.begin"])
def test_a_request_that_died_goes_on_with_the_same_key(shelf: Shelf, point: str) -> None:
    file, dead = File("a.txt", b"words", "k"), []

    def die(at: str) -> None:
        if at == point and not dead:
            dead.append(at)
            raise Died

    faultpoint.install(die)
    try:
        with pytest.raises(Died):
            shelf.documents.receive(shelf.workspace, file)
        [waiting] = shelf.documents.list(shelf.workspace, limit=5)[0]
        assert waiting.status == "uploading"
        assert shelf.documents.receive(shelf.workspace, file).document.status == "extracting"
    finally:
        faultpoint.install(None)
    assert len(shelf.world.operations()) == 1


def test_a_workflow_that_cannot_be_started_now_is_started_by_the_trigger(shelf: Shelf) -> None:
    shelf.world.executions.starts.append(Transient("Workflows is away."))
    document = shelf.put("a.txt", b"words")
    operation = shelf.operation(document)
    assert document.status == "extracting" and operation.execution is None
    shelf.world.research.engine.work_created(shelf.workspace, operation.id)
    assert shelf.operation(document).execution and shelf.world.executions.started[-1]["operation_id"] == operation.id


def test_the_sweep_starts_what_nobody_started(shelf: Shelf) -> None:
    shelf.world.executions.starts.append(Transient("Workflows is away."))
    document = shelf.put("a.txt", b"words")
    shelf.world.clock.advance(120)
    assert shelf.world.reconciler.sweep().launched >= 1 and shelf.operation(document).execution


def test_a_file_that_is_too_large_for_one_request_is_refused(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "DOCUMENT_DIRECT_BYTES", 10)
    with pytest.raises(Refused, match="ask for an upload") as caught:
        shelf.put("a.txt", b"eleven bytes")
    assert caught.value.reason == "too_large" and not shelf.documents.list(shelf.workspace, limit=5)[0]


def test_a_file_that_is_refused_leaves_nothing(shelf: Shelf) -> None:
    with pytest.raises(Refused):
        shelf.put("a.pdf", b"just words")
    assert not shelf.documents.list(shelf.workspace, limit=5)[0] and not list(shelf.objects.list("workspaces"))


def test_without_a_place_for_files_documents_are_refused(shelf: Shelf) -> None:
    bare = Documents(Ports(shelf.world.research.engine, None, lambda: None, CountingIds(), Workers()))
    with pytest.raises(Refused, match="OBJECTS_URL") as caught:
        bare.receive(shelf.workspace, File("a.txt", b"words"))
    assert caught.value.reason == "no_place"


def test_the_file_comes_back_as_it_was(shelf: Shelf) -> None:
    data = files.pdf(["x"])
    content = shelf.documents.content(shelf.workspace, shelf.put("a.pdf", data).id)
    assert b"".join(content.pieces) == data and content.address is None


def test_deleting_takes_everything_and_may_be_repeated(shelf: Shelf) -> None:
    document = shelf.extracted("a.pdf", files.pdf(["The rent is due."]))
    kept = shelf.extracted("b.pdf", files.pdf(["The rent is paid."]))
    assert len(shelf.paths_below(document)) == 4
    for _ in range(2):
        shelf.documents.delete(shelf.workspace, document.id)
    assert not shelf.paths_below(document) and shelf.found("rent") == [("b.pdf", 1)]
    assert len(shelf.paths_below(kept)) == 4
    with pytest.raises(NotFound):
        shelf.get(document)


def test_a_document_that_was_deleted_can_be_put_in_again_with_its_key(shelf: Shelf) -> None:
    first = shelf.put("a.txt", b"words", "k")
    shelf.documents.delete(shelf.workspace, first.id)
    shelf.world.clock.advance(1)
    again = shelf.put("a.txt", b"words", "k")
    assert again.id == first.id and again.operation_id != first.operation_id and again.status == "extracting"


def test_a_deletion_that_broke_off_is_hidden_and_finished_by_the_sweep(shelf: Shelf) -> None:
    document, dead = shelf.extracted("a.txt", b"words of rent"), []

    def die(at: str) -> None:
        if at == "before_commit:chunks.remove" and not dead:
            dead.append(at)
            raise Died

    faultpoint.install(die)
    try:
        with pytest.raises(Died):
            shelf.documents.delete(shelf.workspace, document.id)
    finally:
        faultpoint.install(None)
    assert shelf.paths_below(document) and not shelf.documents.list(shelf.workspace, limit=5)[0]
    assert not shelf.found("rent")
    assert shelf.sweep() >= 1 and not shelf.paths_below(document)


def test_a_folder_takes_no_uploads_by_address(shelf: Shelf) -> None:
    with pytest.raises(Refused, match="by address") as caught:
        shelf.documents.ask_for_upload(shelf.workspace, UploadCreate(name="a.pdf", bytes=50_000_000), None)
    assert caught.value.reason == "no_upload"


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    with serve_s3("memex") as server:
        yield server


@pytest.fixture
def remote(s3: S3, shelf: Shelf) -> Shelf:
    """The same shelf with its files in a bucket, which signs addresses."""
    return Shelf(shelf.world, connect(f"s3://memex/{shelf.workspace}", s3.options))


def test_a_large_file_goes_by_its_address_and_comes_back_by_one(remote: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    data = files.pdf(["A large file, in spirit."])
    wanted = UploadCreate(name="large.pdf", bytes=len(data))
    asked, created = remote.documents.ask_for_upload(remote.workspace, wanted, "k")
    assert created and asked.document.status == "uploading"
    with pytest.raises(Conflict, match="not arrived"):
        remote.documents.complete(remote.workspace, asked.document.id)
    assert httpx.put(asked.url, content=data, headers=asked.headers).status_code == 200
    again, created = remote.documents.ask_for_upload(remote.workspace, wanted, "k")
    assert not created and again.document.id == asked.document.id
    for _ in range(2):
        assert remote.documents.complete(remote.workspace, asked.document.id).status == "extracting"
    remote.start(remote.get(asked.document))
    assert remote.step(remote.get(asked.document)).status == "completed"
    assert remote.get(asked.document).sha256 == File("", data).sha256
    monkeypatch.setattr("shared.documents.service.DOCUMENT_STREAM_BYTES", 10)
    content = remote.documents.content(remote.workspace, asked.document.id)
    assert content.address is not None and httpx.get(content.address).content == data


@pytest.mark.parametrize(
    ("name", "data", "reason"), [("a.pdf", b"not what it says", "mismatch"), ("a.pdf", b"", "empty")]
)
def test_what_came_by_address_and_is_none_of_ours_has_failed_and_is_gone(
    remote: Shelf, name: str, data: bytes, reason: str
) -> None:
    asked, _ = remote.documents.ask_for_upload(remote.workspace, UploadCreate(name=name, bytes=100), None)
    httpx.put(asked.url, content=data)
    with pytest.raises(Refused) as caught:
        remote.documents.complete(remote.workspace, asked.document.id)
    found = remote.get(asked.document)
    assert caught.value.reason == reason and found.status == "failed" and found.error is not None
    assert found.error.code == reason
    with pytest.raises(NotFound):
        remote.objects.size(original(remote.workspace, asked.document.id))


def test_an_upload_that_nobody_reported_is_settled_by_the_sweep(remote: Shelf) -> None:
    wanted = UploadCreate(name="a.txt", bytes=5)
    arrived, _ = remote.documents.ask_for_upload(remote.workspace, wanted, None)
    missing, _ = remote.documents.ask_for_upload(remote.workspace, wanted, None)
    httpx.put(arrived.url, content=b"words")
    remote.sweep()
    assert remote.get(missing.document).status == "uploading"
    remote.world.clock.advance((UPLOAD_TIME + timedelta(seconds=1)).total_seconds())
    remote.sweep()
    assert remote.get(arrived.document).status == "extracting"
    failed = remote.get(missing.document)
    assert failed.status == "failed" and failed.error is not None and failed.error.code == "not_uploaded"


@pytest.mark.parametrize("name", ["a.exe", "a", "pdf"])
def test_an_upload_says_by_its_name_what_it_will_be(remote: Shelf, name: str) -> None:
    with pytest.raises(Refused):
        remote.documents.ask_for_upload(remote.workspace, UploadCreate(name=name, bytes=5), None)


def test_another_workspace_sees_nothing_of_it(shelf: Shelf, objects: Objects) -> None:
    document = shelf.extracted("a.txt", b"words of rent")
    other = Shelf(World(shelf.world.client, shelf.world.clock, f"{shelf.workspace}-other"), objects)
    assert not other.found("rent") and not other.documents.list(other.workspace, limit=5)[0]
    for ask in (other.documents.get, other.documents.content):
        with pytest.raises(NotFound):
            ask(other.workspace, document.id)
    other.documents.delete(other.workspace, document.id)
    assert shelf.found("rent") and b"".join(shelf.documents.content(shelf.workspace, document.id).pieces)
