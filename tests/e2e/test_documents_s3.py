"""The same documents with their files in a bucket: large ones go there, and come from there, by signed addresses."""

from __future__ import annotations

import random
from collections.abc import Iterator

import httpx
import pytest

from shared.errors import NotFound
from shared.gateway.objects import connect
from tests.e2e.test_documents import LEASE, added
from tests.e2e.world import World
from tests.support import files
from tests.support.s3 import S3, serve_s3


@pytest.fixture
def s3() -> Iterator[S3]:
    with serve_s3("memex") as server:
        yield server


@pytest.fixture
def settings(s3: S3) -> dict[str, str]:
    options = ";".join(f"{name}={value}" for name, value in s3.options.items())
    return {"OBJECTS_URL": "s3://memex/files", "OBJECTS_OPTIONS": options}


def test_a_file_lies_in_the_bucket_and_goes_with_its_document(world: World, s3: S3) -> None:
    data = files.pdf(LEASE)
    document = added(world, "lease.pdf", data)
    assert document["status"] == "ready"
    objects, place = connect("s3://memex/files", s3.options), f"workspaces/demo/documents/{document['id']}/original"
    assert objects.get(place, 100_000) == data
    assert world.act(lambda: world.http.delete(f"/api/v1/documents/{document['id']}")).status_code == 204
    with pytest.raises(NotFound):
        objects.size(place)


@pytest.mark.slow
def test_a_large_file_is_put_to_an_address_read_and_fetched_from_one(world: World) -> None:
    picture = random.Random(1).randbytes(9_000_000)
    data = files.rezipped(files.docx(["Album", "One picture."]), {"word/media/image1.png": picture})
    asked = world.request("POST", "/api/v1/documents/uploads", json={"name": "album.docx", "bytes": len(data)})
    document_id = asked["document"]["id"]
    path = f"/api/v1/documents/{document_id}"
    early = world.act(lambda: world.http.post(f"{path}/complete"))
    assert early.status_code == 409, early.text
    assert httpx.put(asked["url"], content=data, headers=asked["headers"]).status_code == 200
    assert world.request("POST", f"{path}/complete")["document"]["status"] == "extracting"
    stored = world.firestore.document(f"workspaces/demo/documents/{document_id}")
    world.until(lambda: stored.get().get("status") in ("ready", "failed"))
    document = world.request("GET", path)["document"]
    assert (document["status"], document["bytes"]) == ("ready", len(data)) and len(document["sha256"]) == 64
    answer = world.act(lambda: world.http.get(f"{path}/content"))
    assert answer.status_code == 302 and httpx.get(answer.headers["Location"]).content == data
