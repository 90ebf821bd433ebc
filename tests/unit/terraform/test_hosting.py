"""The page on Firebase Hosting."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import httpx
import yaml

from infra.terraform.hcl import blocks_of
from infra.terraform.hosting import OBJECTS, ROOT, Hosting, config_of, files_of, places_of
from shared.api.table import ROUTES
from shared.contracts.manifest import Manifest

DESCRIBED = json.loads((ROOT / "infra" / "hosting.json").read_text())
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))
PUBLIC = {row.name: f"https://{row.name}.test" for row in MANIFEST.functions if row.invoker == "public"}


class Service:
    """Answers as Hosting's API, and remembers what it was asked; it has the files of `known` already."""

    def __init__(self, known: set[str]) -> None:
        self.known, self.asked, self.files = known, [], {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.asked.append((request.method, path))
        if path.endswith("/versions"):
            return httpx.Response(200, json={"name": "sites/s/versions/1"})
        if path.endswith(":populateFiles"):
            self.files = json.loads(request.content)["files"]
            wanted = sorted(set(self.files.values()) - self.known)
            return httpx.Response(200, json={"uploadRequiredHashes": wanted, "uploadUrl": "https://upload.test/f"})
        if request.url.host == "upload.test":
            assert hashlib.sha256(request.content).hexdigest() == path.rpartition("/")[2]
            self.known.add(path.rpartition("/")[2])
        return httpx.Response(200, json={})


def publish(folder: Path, service: Service) -> str:
    with httpx.Client(transport=httpx.MockTransport(service)) as http:
        return Hosting("s", "p", lambda: "t", http).publish(files_of(folder), {})


def test_only_what_is_missing_is_sent_and_the_version_is_released_last(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    (tmp_path / "app.js").write_text("script")
    there = hashlib.sha256(gzip.compress(b"script", 9, mtime=0)).hexdigest()
    service = Service({there})
    assert publish(tmp_path, service) == "sites/s/versions/1"
    assert set(service.files) == {"/index.html", "/app.js"} and set(service.files.values()) == service.known
    assert len([path for _, path in service.asked if path.startswith("/f/")]) == 1
    assert [path.rpartition("/")[2] for _, path in service.asked[-2:]] == ["1", "releases"]


def test_the_same_page_is_sent_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    service = Service(set())
    publish(tmp_path, service)
    before = len(service.asked)
    publish(tmp_path, service)
    assert not [path for _, path in service.asked[before:] if path.startswith("/f/")]


def test_what_is_not_for_readers_of_the_page_is_left_out() -> None:
    served = files_of(ROOT / "web_static")
    assert "/index.html" in served and not [path for path in served if path.endswith(".md")]


def test_the_page_is_told_where_each_route_is_answered_longest_beginning_first() -> None:
    places = places_of(MANIFEST, PUBLIC)
    assert places["/api/v1"] == "https://api.test" and "/mcp" not in places
    for route in ROUTES:
        fits = [one for one in places if f"/api/v1{route.path}/".startswith(f"{one}/")]
        assert places[max(fits, key=len)] == f"https://{route.function}.test", route.path


def test_the_page_may_send_large_files_to_the_bucket_that_is_there() -> None:
    blocks = {one.address: one.body for one in blocks_of(ROOT / "infra" / "terraform" / "modules" / "storage")}
    name = blocks["resource.google_storage_bucket.objects"]["name"].replace("${var.project}", "p")
    assert OBJECTS.format(project="p") == f"https://storage.googleapis.com/{name}/"


def test_the_headers_let_the_page_talk_to_the_functions_and_nobody_else() -> None:
    config = config_of(DESCRIBED, ["https://api.test", "https://chat.test"])
    everywhere = next(one["headers"] for one in config["headers"] if one["glob"] == "**")
    assert "connect-src 'self' https://api.test https://chat.test;" in everywhere["Content-Security-Policy"]
    assert set(everywhere) == set(DESCRIBED["headers"])
    assert {"glob": "**/*.js", "headers": {"Content-Type": DESCRIBED["types"][".js"]}} in config["headers"]
    assert config["rewrites"] == [{"glob": "/capture", "path": "/index.html"}]
