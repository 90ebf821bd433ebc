"""`memex document` against a scripted API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infra.cli.demo.make_contracts import FOLDER, pdf_of
from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script, event, frames, note

DOCUMENTS = "/api/v1/documents"
MOMENT = "2026-11-30T12:00:00Z"


def a_document(**fields: Any) -> dict[str, Any]:
    return {
        "id": "d1",
        "name": "lease\x1b[2J.pdf",
        "type": "pdf",
        "bytes": 3600,
        "sha256": "0" * 64,
        "status": "ready",
        "operation_id": "op_1",
        "pages": 3,
        "characters": 2000,
        "tables": [],
        "problems": [{"page": 2, "message": "The page has no text."}],
        "error": None,
        "created_at": MOMENT,
        **fields,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lease.pdf"
    path.write_bytes(b"%PDF-1.7 of a test")
    return path


def test_a_file_is_added_followed_and_told_with_its_problems(run: Run, script: Script, file: Path) -> None:
    script.on("POST", DOCUMENTS, Answer({"document": a_document(status="extracting")}, 201))
    script.on("GET", "/api/v1/operations/op_1/events", Answer(frames(event(1, "created"), event(2, "completed"))))
    script.on("GET", f"{DOCUMENTS}/d1", Answer({"document": a_document()}))
    result = run("document", "add", str(file))
    assert result.exit_code == 0, result.output
    assert "ready" in result.stdout and "3 pages" in result.stdout and "page 2: The page has no text." in result.stdout
    assert "\x1b[2J" not in result.stdout
    sent = script.seen[0]
    assert sent.headers["Content-Type"].startswith("multipart/form-data") and len(sent.headers["Idempotency-Key"]) == 26


def test_a_file_that_is_refused_keeps_no_other_from_being_added(run: Run, script: Script, file: Path) -> None:
    refusal = {"error": {"code": "unprocessable", "message": "It is encrypted.", "details": {"reason": "encrypted"}}}
    script.on("POST", DOCUMENTS, Answer(refusal, 422), Answer({"document": a_document()}, 201))
    result = run("document", "add", "--no-wait", "--json", str(file), str(file))
    assert result.exit_code == 1 and "It is encrypted." in result.stderr
    assert json.loads(result.stdout)["document"]["id"] == "d1"


def test_a_large_file_goes_to_its_address_without_our_token(
    run: Run, script: Script, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.cli.adding.DOCUMENT_DIRECT_BYTES", 5)
    asked = {"document": a_document(), "url": f"{script.url}/bucket/x?signature=1", "headers": {}, "expires_at": MOMENT}
    script.on("POST", f"{DOCUMENTS}/uploads", Answer(asked, 201))
    script.on("PUT", "/bucket/x", Answer({}))
    script.on("POST", f"{DOCUMENTS}/d1/complete", Answer({"document": a_document(operation_id=None)}))
    assert run("document", "add", str(file)).exit_code == 0
    uploaded = next(one for one in script.seen if one.method == "PUT")
    assert "Authorization" not in uploaded.headers and uploaded.headers["Content-Length"] == "18"


def test_documents_are_listed_and_shown(run: Run, script: Script) -> None:
    script.on("GET", DOCUMENTS, Answer({"documents": [a_document()], "next_cursor": None}))
    sheet = {"name": "Prices", "columns": [{"name": "city", "type": "text"}], "rows": 2, "first_rows": []}
    failed = a_document(status="failed", error={"code": "no_text", "message": "There is no text."}, tables=[sheet])
    script.on("GET", f"{DOCUMENTS}/d1", Answer({"document": failed}))
    assert "3.6 kB" in run("document", "list").stdout
    shown = run("document", "show", "d1").stdout
    assert "There is no text. (no_text)" in shown and "city (text)" in shown and "page 2" in shown


def test_a_file_is_saved_under_its_name_and_never_over_another(
    run: Run, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script.on("GET", f"{DOCUMENTS}/d1", Answer({"document": a_document(name="../a/lease.pdf")}))
    script.on("GET", f"{DOCUMENTS}/d1/content", Answer(b"the file"))
    assert run("document", "get", "d1").stdout == "lease.pdf\n"
    assert (tmp_path / "lease.pdf").read_bytes() == b"the file"
    again = run("document", "get", "d1")
    assert again.exit_code == 1 and "already" in again.stderr
    assert run("document", "get", "d1", "--force").exit_code == 0
    assert run("document", "get", "d1", "-o", "-").stdout_bytes == b"the file"


def test_a_search_shows_document_and_page(run: Run, script: Script) -> None:
    hit = {"document_id": "d1", "name": "lease.pdf", "page": 2, "excerpt": "…the rent"}
    script.on("GET", f"{DOCUMENTS}/search", Answer({"hits": [hit], "looked_at": 1}))
    assert "lease.pdf, page 2" in run("document", "search", "rent", "--in", "d1").stdout
    assert script.seen[0].path == f"{DOCUMENTS}/search?q=rent&document_id=d1&limit=10"


def test_deleting_asks_for_each(run: Run, script: Script) -> None:
    for name in ("d1", "d2"):
        script.on("GET", f"{DOCUMENTS}/{name}", Answer({"document": {"id": name}}))
        script.on("DELETE", f"{DOCUMENTS}/{name}", Answer({}))
    assert json.loads(run("document", "delete", "d1", "d2", "--json").stdout) == {"deleted": ["d1", "d2"]}


def test_deleting_what_is_not_there_says_so(run: Run) -> None:
    result = run("document", "delete", "nope")
    assert result.exit_code == 1 and "nope" in result.stderr


def test_the_sample_contracts_are_what_their_texts_make() -> None:
    sources = sorted(FOLDER.glob("*.md"))
    assert len(sources) == 3
    for source in sources:
        assert source.with_suffix(".pdf").read_bytes() == pdf_of(source.read_text(encoding="utf-8"))


def test_a_page_of_a_document_is_shown_as_a_source(run: Run, script: Script) -> None:
    citation = {"n": 1, "title": "lease.pdf", "document_id": "d1", "page": 2, "note_id": None, "url": None}
    script.on("GET", "/api/v1/notes/n1", Answer({"note": note(citations=[citation])}))
    assert "[1] lease.pdf  document d1, page 2" in run("note", "show", "n1").stdout
