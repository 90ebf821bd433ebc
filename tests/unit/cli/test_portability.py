"""`memex export` and `memex import` against the API itself: out, in, out again, and what may go wrong between."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from google.cloud.firestore_v1 import Client
from google.cloud.firestore_v1.vector import Vector

from infra.cli.main import memex
from infra.cli.portability import taking_in
from shared.contracts.portability import OBJECT_PIECE_BYTES
from shared.store import paths
from tests.support.served import served
from tests.support.stores import firestore  # noqa: F401

AT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
_pairs = itertools.count(1)
Run = Callable[..., Result]


class Place:
    """Two workspaces behind one API: `here` has something of most kinds, `there` is empty."""

    def __init__(self, client: Client, url: str, files: Path, here: str, there: str) -> None:
        self.client, self.url, self.files, self.here, self.there = client, url, files, here, there

    def put(self, path: str, **fields: Any) -> None:
        self.client.document(f"workspaces/{self.here}/{path}").set(fields)

    def file(self, name: str, data: bytes) -> Path:
        path = self.files / "workspaces" / self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def run(self, workspace: str, *arguments: str, **options: Any) -> Result:
        return CliRunner().invoke(memex, [*arguments, "--url", self.url, "--token", workspace], **options)

    def json(self, workspace: str, *arguments: str) -> dict[str, Any]:
        result = self.run(workspace, *arguments, "--json")
        assert result.exit_code == 0, result.output
        return dict(json.loads(result.stdout))


@pytest.fixture
def place(firestore: Client, tmp_path: Path) -> Iterator[Place]:  # noqa: F811
    here, there = f"here{(n := next(_pairs))}", f"there{n}"
    with served(firestore, tmp_path / "files", here, there) as url:
        yield Place(firestore, url, tmp_path / "files", here, there)


def filled(place: Place) -> None:
    place.put("notes/n1", kind="capture", title="Ünïcödé ☕", tags=["research"], parts=1, created_at=AT, updated_at=AT)
    place.put("notes/n1/parts/0", n=0, text="x" * 1_040_000)
    place.put("notes/n1/events/00000001", seq=1, type="note_changed", at=AT, data={"a": [1, 1.0, None, {"b": b"\x00"}]})
    place.put("operations/op", status="running", seq=1, source_note_id="n1", updated_at=AT)
    place.put("operations/op/events/00000001", seq=1, type="created", at=AT, id="op-1")
    place.put("documents/d1", id="d1", name="a.pdf", status="ready", content_type="application/pdf")
    place.put("documents/d1/chunks/000000", n=0, text="chunk")
    place.put("chunk_index/d1-000000", embedding=Vector([0.5, 1.0]))
    place.put("usage/2026-11/shards/3", kinds={"chat": {"count": 2}})
    place.put("members/m", email="ada@example.com", role="owner")
    batch = place.client.batch()
    for n in range(310):
        batch.set(place.client.document(f"workspaces/{place.here}/tasks/t{n:04}"), {"title": f"task {n}", "done": True})
    batch.commit()
    place.file("documents/d1/original", os.urandom(OBJECT_PIECE_BYTES + 1000))
    place.file("documents/d1/artifacts/plot.svg", b"<svg/>")
    place.file("documents/gone/original", b"of a document that is not there")


def members(tar: Path) -> dict[str, bytes]:
    with tarfile.open(tar) as opened:
        return {one.name: opened.extractfile(one).read() for one in opened.getmembers()}  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_second_export_of_what_was_imported_is_the_same_byte_for_byte(place: Place, tmp_path: Path) -> None:
    filled(place)
    made = place.json(place.here, "export", "--to", str(tmp_path / "one.tar"))
    assert made["objects"] == 2 and made["documents"]["tasks"] == 310 and made["documents"]["events"] == 3
    taken = place.json(place.there, "import", str(tmp_path / "one.tar"))
    assert taken["verified"] is True and taken["objects"] == {"created": 2} and not taken["differing"]
    assert list(taken["left_out"].values()) == [1], "who may come in is taken in only where that is asked for"
    place.json(place.there, "export", "--to", str(tmp_path / "two.tar"))
    one, two = members(tmp_path / "one.tar"), members(tmp_path / "two.tar")
    for each in (one, two):
        del each["manifest.json"]
    assert one.pop("documents/members.jsonl") and two.pop("documents/members.jsonl") == b""
    assert one == two
    assert not (place.files / "workspaces" / place.there / "import").exists() or not any(
        file.is_file() for file in (place.files / "workspaces" / place.there / "import").rglob("*")
    )
    again = place.json(place.there, "import", str(tmp_path / "one.tar"))
    assert set(again["documents"]) == {"there", "left_out"} and again["objects"] == {"there": 2} and again["resumed"]
    assert again["verified"] is True


@pytest.mark.parametrize("name", ["folder", "packed.tar.gz"])
def test_a_folder_and_a_packed_file_are_as_good(place: Place, tmp_path: Path, name: str) -> None:
    place.put("tasks/t", title="ünï")
    place.file("documents/d/original", b"1")
    place.put("documents/d", status="ready")
    place.json(place.here, "export", "--to", str(tmp_path / name))
    assert place.json(place.there, "import", str(tmp_path / name))["verified"] is True
    refused = place.run(place.here, "export", "--to", str(tmp_path / name))
    assert refused.exit_code == 1 and "already" in refused.stderr
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_an_import_that_broke_off_goes_on_where_it_was(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.put("tasks/t", title="ünï")
    place.put("documents/d", status="ready")
    place.file("documents/d/original", b"1")
    place.json(place.here, "export", "--to", str(tmp_path / "one.tar"))

    def killed(_self: Any, _made: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(taking_in.TakingIn, "_objects", killed)
        assert place.run(place.there, "import", str(tmp_path / "one.tar")).exit_code != 0
    taken = place.json(place.there, "import", str(tmp_path / "one.tar"))
    assert taken["resumed"] and taken["verified"] and "created" not in taken["documents"]


@pytest.mark.slow
def test_an_import_that_was_killed_goes_on(firestore: Client, tmp_path: Path) -> None:  # noqa: F811
    sent, reached, release = itertools.count(1), threading.Event(), threading.Event()

    def before(path: str) -> None:
        if path.endswith("import/documents") and next(sent) == 3:
            reached.set()
            release.wait(60)

    here, there = f"here{(n := next(_pairs))}", f"there{n}"
    with served(firestore, tmp_path / "files", here, there, before=before) as url:
        place = Place(firestore, url, tmp_path / "files", here, there)
        filled(place)
        place.json(here, "export", "--to", str(tmp_path / "one"))
        arguments = ["import", str(tmp_path / "one"), "--url", url, "--token", there]
        process = subprocess.Popen([sys.executable, "-m", "infra.cli", *arguments], stderr=subprocess.DEVNULL)
        assert reached.wait(60)
        process.kill()
        process.wait(10)
        release.set()
        taken = place.json(there, "import", str(tmp_path / "one"))
    assert taken["resumed"] and taken["verified"] and {"created", "there"} <= set(taken["documents"])


def test_what_is_there_is_refused_or_with_merge_left_as_it_is_and_told(place: Place, tmp_path: Path) -> None:
    place.put("tasks/a", v=1)
    place.put("tasks/b", v=1)
    place.json(place.here, "export", "--to", str(tmp_path / "one.tar"))
    place.client.document(f"workspaces/{place.there}/tasks/a").set({"v": 2})
    refused = place.run(place.there, "import", str(tmp_path / "one.tar"))
    assert refused.exit_code == 1 and "not empty" in refused.stderr
    dry = place.run(place.there, "import", str(tmp_path / "one.tar"), "--merge", "--dry-run")
    assert dry.exit_code == 1 and "1 created, 1 differ" in dry.stdout
    merged = place.run(place.there, "import", str(tmp_path / "one.tar"), "--merge")
    assert merged.exit_code == 1 and "differs, and stays as it is: tasks/a" in merged.stdout
    assert place.client.document(f"workspaces/{place.there}/tasks/a").get().to_dict() == {"v": 2}


def rewritten(source: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    files = members(source)
    change(files)
    with tarfile.open(target, "w") as tar:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))


def flip(files: dict[str, bytes]) -> None:
    files["documents/tasks.jsonl"] = files["documents/tasks.jsonl"].replace(b"1", b"2")


def later(files: dict[str, bytes]) -> None:
    files["manifest.json"] = files["manifest.json"].replace(b'"v": 1', b'"v": 9')


def lead_out(files: dict[str, bytes]) -> None:
    files["manifest.json"] = files["manifest.json"].replace(b"documents/tasks.jsonl", b"../../etc/passwd")


def none(files: dict[str, bytes]) -> None:
    del files["manifest.json"]


@pytest.mark.parametrize(
    ("change", "says"), [(flip, "damaged"), (later, "format 9"), (lead_out, "no export has"), (none, "manifest.json")]
)
def test_a_file_that_is_not_as_it_was_written_is_refused_before_anything_is_sent(
    place: Place, tmp_path: Path, change: Callable[[dict[str, bytes]], None], says: str
) -> None:
    place.put("tasks/a", v=1)
    place.json(place.here, "export", "--to", str(tmp_path / "one.tar"))
    rewritten(tmp_path / "one.tar", tmp_path / "bad.tar", change)
    result = place.run(place.there, "import", str(tmp_path / "bad.tar"))
    assert result.exit_code == 1 and says in result.stderr
    assert list(place.client.document(f"workspaces/{place.there}").collections()) == []


def test_an_object_that_leads_out_of_the_export_is_not_read(place: Place, tmp_path: Path) -> None:
    place.put("documents/d", status="ready")
    place.file("documents/d/original", b"1")
    folder = tmp_path / "out"
    place.json(place.here, "export", "--to", str(folder))
    original = folder / "objects/documents/d/original"
    original.unlink()
    original.symlink_to("/etc/passwd")
    result = place.run(place.there, "import", str(folder))
    assert result.exit_code == 1 and "leads out" in result.stderr
    (tmp_path / "text").write_text("no tar")
    assert "no export" in place.run(place.there, "import", str(tmp_path / "text")).stderr


@pytest.mark.parametrize(
    "line",
    [
        b'{"path":"tasks/a","fields":{}}],"access":true,"documents":[{"path":"members/m","fields":{}}',
        b'{"path":"tasks/a","fields":{}},{"path":"tasks/b","fields":{}}',
        b"]}",
        b"[1]",
        b'{"path":"tasks/\xff","fields":{}}',
    ],
)
def test_a_line_is_one_document_and_says_nothing_to_the_request(place: Place, tmp_path: Path, line: bytes) -> None:
    place.put("tasks/a", v=1)
    folder = tmp_path / "out"
    place.json(place.here, "export", "--to", str(folder))
    (folder / "documents/tasks.jsonl").write_bytes(line + b"\n")
    known = json.loads((folder / "manifest.json").read_bytes())
    entry = {"lines": 1, "bytes": len(line) + 1, "sha256": hashlib.sha256(line + b"\n").hexdigest()}
    known["files"]["documents/tasks.jsonl"] = entry
    (folder / "manifest.json").write_text(json.dumps(known))
    result = place.run(place.there, "import", str(folder))
    assert result.exit_code == 1 and "Line 1 of documents/tasks.jsonl is no document" in result.stderr
    assert not place.client.document(f"workspaces/{place.there}/members/m").get().exists


def test_what_is_no_number_or_a_pipe_is_told_and_not_waited_for(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    place.json(place.here, "export", "--to", str(folder))
    manifest = folder / "manifest.json"
    good = manifest.read_text()
    manifest.write_text(good.replace('"lines": 0', '"lines": Infinity', 1))
    assert "manifest.json is damaged" in place.run(place.there, "import", str(folder)).stderr
    manifest.write_text(good)
    (folder / "documents/tasks.jsonl").unlink()
    os.mkfifo(folder / "documents/tasks.jsonl")
    assert "no plain file" in place.run(place.there, "import", str(folder)).stderr


def test_members_come_with_access_and_only_an_owner_may_and_a_plan_is_an_operators(
    place: Place, tmp_path: Path
) -> None:
    ada = paths.member("ada@example.com")
    place.put(ada, email="ada@example.com", role="reader", added_at=AT)
    place.client.document(f"workspaces/{place.here}").set({"v": 1, "plan": "pro"})
    place.json(place.here, "export", "--to", str(tmp_path / "one.tar"))
    told = place.json(place.there, "import", str(tmp_path / "one.tar"), "--with-access")
    assert told["verified"] and any("operator" in why for why in told["left_out"])
    assert not place.client.document(f"workspaces/{place.there}").get().exists
    assert place.client.document(f"workspaces/{place.there}/{ada}").get().exists


def test_no_folder_is_made_that_is_named_as_another_archive(tmp_path: Path) -> None:
    result = CliRunner().invoke(memex, ["export", "--to", str(tmp_path / "backup.zip"), "--url", "http://127.0.0.1:9"])
    assert result.exit_code == 2 and "ends in .tar" in result.output
    assert not list(tmp_path.iterdir())
