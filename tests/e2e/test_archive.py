"""Every stored event is in the archive once, and the day after in one compressed file."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.world import World

BEFORE_MIDNIGHT = datetime(2026, 11, 30, 23, 40, tzinfo=timezone.utc)


def stored(world: World) -> set[tuple[str, int]]:
    """Stream and seq of every event that the fan-out hears of."""
    documents = world.firestore.collection_group("events").stream()
    paths = [document.reference.path.split("/") for document in documents]
    return {("/".join(path[2:-2]), int(path[-1])) for path in paths if len(path) == 6}


def place(event: dict[str, Any]) -> tuple[str, int]:
    return str(event["stream"]), int(event["seq"])


@pytest.mark.slow
@pytest.mark.parametrize("start", [BEFORE_MIDNIGHT])
def test_each_event_is_archived_once_and_the_night_makes_one_file_of_them(world: World) -> None:
    world.faults.duplicate_events(2, function="trace-fanout")
    world.research()
    day = Path(world.cloud.seams.data_dir) / "objects" / "trace" / "2026" / "11" / "30"
    pieces = [json.loads(file.read_bytes()) for file in (day / "demo").iterdir()]
    assert sorted(map(place, pieces)) == sorted(stored(world)) and len(pieces) > 10

    world.pass_time(90 * 60)
    assert world.act(lambda: world.cloud.triggers.scheduler.run("compact-traces")) == 200
    [file] = [path for path in day.iterdir() if path.is_file()]
    assert file.name == "demo.jsonl.gz" and list((day / "demo").iterdir()) == []
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert sorted(map(place, lines)) == sorted(map(place, pieces))
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
