"""Documents from their upload to their citation, through the API and the workflow that extracts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.bootstrap import app
from shared.documents.desk import Drawing
from shared.gateway.transport import Cut
from tests.e2e.processes import eventually, killed_at
from tests.e2e.world import World
from tests.support import files

LEASE = [
    "Lease between Kestrel Yard Ltd and Otter Prints. The notice period ends on 15 October 2026.",
    "The deposit of 4,200 EUR is due on 1 December 2026.",
]


def put_in(world: World, name: str, data: bytes, **headers: str) -> Any:
    return world.act(lambda: world.http.post("/api/v1/documents", files={"file": (name, data)}, headers=headers))


def added(world: World, name: str, data: bytes) -> dict[str, Any]:
    """The document when its extraction has ended."""
    answer = put_in(world, name, data)
    assert answer.status_code == 201, answer.text
    document_id = answer.json()["document"]["id"]
    path = f"workspaces/demo/documents/{document_id}"
    world.until(lambda: world.firestore.document(path).get().get("status") in ("ready", "failed"))
    return dict(world.request("GET", f"/api/v1/documents/{document_id}")["document"])


def event_types(world: World, operation_id: str) -> list[str]:
    path, headers = f"/api/v1/operations/{operation_id}/events", {"Accept": "application/json"}
    return [event["type"] for event in world.request("GET", path, headers=headers)["events"]]


def test_a_pdf_is_extracted_by_its_workflow_and_found_with_its_page(world: World) -> None:
    document = added(world, "lease.pdf", files.pdf(LEASE))
    assert (document["status"], document["type"], document["pages"]) == ("ready", "pdf", 2)
    operation = world.request("GET", f"/api/v1/operations/{document['operation_id']}")["operation"]
    assert (operation["kind"], operation["status"]) == ("extract_document", "completed")
    assert event_types(world, operation["id"]) == ["created", "execution_started", "extracted", "completed"]
    hits = world.request("GET", "/api/v1/documents/search", params={"q": "when is the deposit due"})["hits"]
    assert (hits[0]["document_id"], hits[0]["page"]) == (document["id"], 2) and "1 December" in hits[0]["excerpt"]


@pytest.mark.slow
def test_every_kind_is_taken_listed_and_comes_back_as_an_attachment(world: World) -> None:
    given = {
        "a.txt": b"The rye rises slowly.",
        "b.md": b"# Rye\n\nIt rises.",
        "c.html": b"<!doctype html><p>Rye rises.</p><script>alert(1)</script>",
        "d.csv": b"flour,grams\nrye,500\n",
        "e.xlsx": files.prices(),
        "f.docx": files.docx(["Rye", "It rises."]),
        "g.pdf": files.pdf(["Rye rises."]),
    }
    documents = {name: added(world, name, data) for name, data in given.items()}
    assert {one["status"] for one in documents.values()} == {"ready"}
    listed = world.request("GET", "/api/v1/documents")["documents"]
    assert [one["name"] for one in listed] == list(reversed(given))
    for name, document in documents.items():
        answer = world.act(lambda at=document["id"]: world.http.get(f"/api/v1/documents/{at}/content"))  # type: ignore[misc]
        assert answer.content == given[name] and name in answer.headers["Content-Disposition"]
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert (
            answer.headers["X-Content-Type-Options"] == "nosniff"
            and "sandbox" in answer.headers["Content-Security-Policy"]
        )
    assert documents["d.csv"]["tables"][0]["columns"][1] == {"v": 1, "name": "grams", "type": "integer"}


REFUSED = [
    ("a.pdf", b"just words", "mismatch"),
    ("a.txt", b"", "empty"),
    ("a.exe", b"MZ\x00\x01" * 50, "unsupported"),
    ("a.xlsx", files.rezipped(files.prices(), {"xl/media/zeros.bin": bytes(50_000_000)}), "archive"),
]


def test_what_is_none_of_ours_is_refused_at_once(world: World) -> None:
    for name, data, reason in REFUSED:
        answer = put_in(world, name, data)
        assert (answer.status_code, answer.json()["error"]["details"]["reason"]) == (422, reason)
    assert not world.request("GET", "/api/v1/documents")["documents"]


def test_a_request_that_is_no_form_with_one_file_is_refused(world: World) -> None:
    def post(**sent: Any) -> int:
        return int(world.act(lambda: world.http.post("/api/v1/documents", **sent)).status_code)

    assert post(json={"file": "x"}) == 415
    assert post(files={"other": ("a.txt", b"x")}) == 400
    assert post(files=[("file", ("a.txt", b"x")), ("file", ("b.txt", b"y"))]) == 400
    assert post(files={"file": ("a.txt", b"x")}, data={"more": "x"}) == 400
    assert post(content=b"--x\r\nbroken", headers={"Content-Type": "multipart/form-data; boundary=x"}) == 400
    assert post(files={"file": ("a.txt", b"x" * 32_500_000)}) == 413
    assert post(files={"file": ("a.txt", b"x")}, headers={"Authorization": "Bearer nobody"}) == 401


def test_the_same_key_is_one_document_and_deleting_may_be_repeated(world: World) -> None:
    key = {"Idempotency-Key": "k"}
    first, again = put_in(world, "a.txt", b"words of rye", **key), put_in(world, "a.txt", b"words of rye", **key)
    assert (first.status_code, again.status_code) == (201, 200)
    document_id = first.json()["document"]["id"]
    assert again.json()["document"]["id"] == document_id
    assert put_in(world, "a.txt", b"other words", **key).status_code == 422
    for _ in range(2):
        assert world.act(lambda: world.http.delete(f"/api/v1/documents/{document_id}")).status_code == 204
    assert world.act(lambda: world.http.get(f"/api/v1/documents/{document_id}")).status_code == 404
    assert not world.request("GET", "/api/v1/documents/search", params={"q": "rye"})["hits"]
    objects = world.cloud.seams.data_dir / "objects" / "workspaces"
    assert not [path for path in objects.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_a_folder_refuses_uploads_by_address_and_says_what_to_do(world: World) -> None:
    wanted = {"name": "large.pdf", "bytes": 50_000_000}
    answer = world.act(lambda: world.http.post("/api/v1/documents/uploads", json=wanted))
    assert answer.status_code == 422 and answer.json()["error"]["details"]["reason"] == "no_upload"
    assert "gs://" in answer.json()["error"]["message"]
    # And to who asks for a document of that name it is an id like any other.
    assert world.act(lambda: world.http.get("/api/v1/documents/uploads")).status_code == 404
    assert world.act(lambda: world.http.delete("/api/v1/documents/uploads")).status_code == 204


POINTS = ["after_commit:extract.slice", "before_commit:extract.slice", "after_commit:operation.claim"]


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_an_extraction_killed_in_the_middle_goes_on_to_the_whole_text(tmp_path: Path, point: str) -> None:
    with killed_at(point, tmp_path) as victim:
        api = victim.api
        pages = [f"Clause {n} of the long contract." for n in range(45)]
        answer = api.http.post("/api/v1/documents", files={"file": ("long.pdf", files.pdf(pages))}, timeout=30)
        document_id = answer.json()["document"]["id"]
        victim.wait_for_the_kill()
        eventually(api.ended, "the end of the operation")
        document = api.get(f"/api/v1/documents/{document_id}")["document"]
        assert (document["status"], document["pages"], document["chunks"]) == ("ready", 45, 45)
        assert victim.restarts >= 1
        hits = api.get("/api/v1/documents/search", q="clause 44", document_id=document_id)["hits"]
        assert hits[0]["page"] == 45


@pytest.mark.slow
def test_a_picture_of_a_table_is_served_and_can_do_nothing(world: World) -> None:
    document = added(world, "prices.xlsx", files.prices())
    bars = {"mark": "bar", "encoding": {"x": {"field": "city", "type": "nominal"}, "y": {"field": "price"}}}
    plot_id = app().desk("demo").draw(document["id"], Drawing(bars, None, "k"), Cut())
    path = f"/api/v1/documents/{document['id']}/artifacts/{plot_id}"
    svg = world.act(lambda: world.http.get(f"{path}.svg"))
    assert svg.text.startswith("<svg") and svg.headers["Content-Type"] == "image/svg+xml"
    assert "sandbox" in svg.headers["Content-Security-Policy"] and svg.headers["X-Content-Type-Options"] == "nosniff"
    assert world.act(lambda: world.http.get(f"{path}.png")).content.startswith(b"\x89PNG")
    for name in (f"{plot_id}.html", "original", "..%2Foriginal", "none.svg"):
        missing = f"/api/v1/documents/{document['id']}/artifacts/{name}"
        assert world.act(lambda at=missing: world.http.get(at)).status_code in (400, 404)  # type: ignore[misc]
