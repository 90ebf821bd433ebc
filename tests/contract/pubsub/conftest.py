"""One suite, several servers: the local cloud always, Google's emulator when its address is given.

PUBSUB_CONTRACT_EMULATOR=127.0.0.1:8085 pytest tests/contract/pubsub
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest

from tests.contract.pubsub.cloud import Cloud
from tests.contract.servers import local_pubsub

EMULATOR = os.environ.get("PUBSUB_CONTRACT_EMULATOR", "")


@pytest.fixture(scope="session")
def local_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with local_pubsub(tmp_path_factory.mktemp("pubsub")) as address:
        yield address


@pytest.fixture(params=["local", *(["emulator"] if EMULATOR else [])])
def address(request: pytest.FixtureRequest) -> str:
    return EMULATOR if request.param == "emulator" else str(request.getfixturevalue("local_address"))


_projects = itertools.count(1)


@pytest.fixture
def cloud(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    """Clients of a project that no other test uses."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", address)
    cloud = Cloud(f"contract-{os.getpid()}-{next(_projects)}", official=address == EMULATOR)
    yield cloud
    cloud.close()
