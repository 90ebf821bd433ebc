from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from google.cloud.firestore_v1 import Client

from shared.brain.agent import BrainAgent
from tests.support.cloud import local_firestore
from tests.unit.brain.queue.world import QueueWorld, SharedClock

MakeWorld = Callable[..., QueueWorld]


@pytest.fixture(scope="package")
def shared_clock() -> SharedClock:
    return SharedClock()


@pytest.fixture(scope="package")
def queue_firestore(tmp_path_factory: pytest.TempPathFactory, shared_clock: SharedClock) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore"), shared_clock) as client:
        yield client


@pytest.fixture
def world(queue_firestore: Client, shared_clock: SharedClock) -> MakeWorld:
    """A world of those agents, in a workspace of its own."""

    def make(*agents: BrainAgent) -> QueueWorld:
        return QueueWorld(queue_firestore, shared_clock, *agents)

    return make
