"""Documents from their upload to their citation, through the API and the workflow that extracts them."""

from __future__ import annotations

from typing import Any

import pytest

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


def test_a_pdf_is_extracted_by_its_workflow_and_found_with_its_page(world: World) -> None:
    document = added(world, "lease.pdf", files.pdf(LEASE))
    assert (document["status"], document["type"], document["pages"]) == ("ready", "pdf", 2)
    operation = world.request("GET", f"/api/v1/operations/{document['operation_id']}")["operation"]
    assert (operation["kind"], operation["status"], operation["title"]) == ("extract_document", "completed", "lease.pdf")
    events = world.request(
        "GET", f"/api/v1/operations/{operation['id']}/events", headers={"Accept": "application/json"}
    )["events"]
    assert [one["type"] for one in events] == ["created", "execution_started", "extracted", "completed"]
    hits = world.request("GET", "/api/v1/documents/search", params={"q": "when is the deposit due"})["hits"]
    assert (hits[0]["document_id"], hits[0]["page"]) == (document["id"], 2) and "1 December" in hits[0]["excerpt"]
