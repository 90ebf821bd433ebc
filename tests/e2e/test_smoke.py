"""The smoke test of deployments, on the local cloud."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.cli.errors import CliError
from infra.local.cloud import Addresses, CloudConfig, LocalCloud
from infra.terraform.smoke import Deployed, Smoke

ROOT = Path(__file__).parents[2]
BODY = "At 2000 m the boiling point of water is about 93 °C. The boiling point falls by a degree for each 300 m."
pytestmark = pytest.mark.slow


@pytest.fixture
def place() -> Iterator[Addresses]:
    cloud = LocalCloud(CloudConfig(root=ROOT, run_seconds=0.5))
    try:
        yield cloud.start()
    finally:
        cloud.close()


def deployed(place: Addresses) -> Deployed:
    private = {name: f"{place.http}/_functions/{name}" for name in ("research", "reconcile", "on-note-written")}
    return Deployed({"api": place.http, "chat": place.http}, private, place.http)


def test_the_main_job_is_done_and_nothing_is_left(place: Addresses) -> None:
    said: list[str] = []
    headers = {"Authorization": f"Bearer {place.token}"}
    known = {"title": "Boiling water at height", "body": BODY}  # of which the emulated model writes its report
    assert httpx.post(f"{place.http}/api/v1/notes", json=known, headers=headers, trust_env=False).is_success
    before = httpx.get(f"{place.http}/api/v1/notes", headers=headers, trust_env=False).json()["notes"]
    Smoke(deployed(place), place.token, said.append).run(60)
    after = httpx.get(f"{place.http}/api/v1/notes", headers=headers, trust_env=False).json()["notes"]
    assert [note["id"] for note in after] == [note["id"] for note in before]
    assert [line.partition(":")[0] for line in said] == [
        "5 functions refuse strangers",
        "the page is there, with its headers",
        "the chat answers, live",
        "a note became a report",
        "both notes are in the trash, which empties itself",
        "its events went out by Pub/Sub, and it is counted",
    ]


def test_a_function_that_answers_strangers_is_found(place: Addresses) -> None:
    open_one = Deployed({"api": place.http}, {"research": f"{place.http}/?x="}, "")
    with pytest.raises(CliError, match="research answered a stranger"):
        Smoke(open_one, place.token, lambda _text: None).run(60)
