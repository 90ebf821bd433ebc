"""Followers that come and go, through the real front and a real functions process."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from shared.trace.gate import STREAMS_PER_WORKSPACE
from tests.e2e.world import ROOT
from tests.support.machine import stretched
from tests.support.waiting import PATIENCE_SECONDS

FREE_SECONDS = 3.5
"""A heartbeat is due every two seconds."""


@pytest.mark.slow
def test_the_places_of_followers_that_left_are_free_within_seconds(tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(root=ROOT, data_dir=tmp_path, functions="process"))
    address = cloud.start()
    try:
        headers = {"Authorization": f"Bearer {address.token}"}
        with httpx.Client(base_url=address.http, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS) as http:
            note = http.post("/api/v1/notes", json={"title": "t"}).json()["note"]["id"]
            path = f"/api/v1/notes/{note}/events"
            followers = [http.send(http.build_request("GET", path), stream=True) for _ in range(STREAMS_PER_WORKSPACE)]
            assert {follower.status_code for follower in followers} == {200}
            assert http.get(path).status_code == 429
            for follower in followers:
                follower.close()
            closed = time.monotonic()
            again = []
            while len(again) < STREAMS_PER_WORKSPACE and time.monotonic() - closed < PATIENCE_SECONDS:
                answer = http.send(http.build_request("GET", path), stream=True)
                if answer.status_code == 200:
                    again.append(answer)
                else:
                    answer.close()
                    time.sleep(0.1)
            took = time.monotonic() - closed
            for answer in again:
                answer.close()
        assert len(again) == STREAMS_PER_WORKSPACE and took < stretched(FREE_SECONDS), took
    finally:
        cloud.close()
