from __future__ import annotations

import pytest

from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from tests.support.seams import FakeClock
from tests.unit.brain.remembering.world import MemoryWorld


@pytest.fixture
def world(store: WorkspaceStore, database: Database, clock: FakeClock) -> MemoryWorld:
    """Where no model answers: all agents work by rule until a test gives them one."""
    return MemoryWorld(store, database, clock)
