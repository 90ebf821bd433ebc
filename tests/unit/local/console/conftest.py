"""A local cloud without functions, spoken to through its front as the page and scripts do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud

ROOT = Path(__file__).parents[3] / "support" / "functions_root"


@dataclass
class Desk:
    """A running local cloud, and requests to its console."""

    cloud: LocalCloud
    http: httpx.Client

    def get(self, path: str, /, **query: Any) -> Any:
        """The JSON of an address of the console that answers 200."""
        answer = self.http.get(f"/_cloud/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, method: str, path: str, content: Any = None) -> httpx.Response:
        return self.http.request(method, f"/_cloud/{path}", json={} if content is None else content)

    def write(self, path: str, /, **fields: Any) -> Any:
        """A new document; what the console answers."""
        answer = self.send("POST", "firestore", {"path": path, "fields": fields})
        assert answer.status_code == 201, answer.text
        return answer.json()


@contextmanager
def desk_of(config: CloudConfig) -> Iterator[Desk]:
    cloud = LocalCloud(config)
    try:
        addresses = cloud.start()
        with httpx.Client(base_url=addresses.http, trust_env=False, timeout=20) as http:
            yield Desk(cloud, http)
    finally:
        cloud.close()


@pytest.fixture
def desk() -> Iterator[Desk]:
    with desk_of(CloudConfig(ROOT, functions="none")) as desk:
        yield desk


@pytest.fixture(scope="module")
def shared() -> Iterator[Desk]:
    """One for all tests of a module that leave nothing behind."""
    with desk_of(CloudConfig(ROOT, functions="none")) as desk:
        yield desk
