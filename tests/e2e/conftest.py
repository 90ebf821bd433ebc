"""One virtual world for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.e2e.world import NOTES, World

SECONDS = 600
"""For one test, on a machine that is busy with much else."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/e2e" in item.nodeid and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SECONDS))


@pytest.fixture
def settings() -> dict[str, str]:
    """Settings of the functions; a module overrides it for worlds of its own."""
    return {}


@pytest.fixture
def start() -> datetime | None:
    """When the world begins; a test that waits for some hour parametrizes it, since each hour costs real time."""
    return None


@pytest.fixture
def world(tmp_path: Path, settings: dict[str, str], start: datetime | None) -> Iterator[World]:
    world = World(tmp_path / "cloud", start, **settings)
    try:
        for title, body in NOTES:
            world.write_note(body, "baking", title=title)
        yield world
    finally:
        world.close()
