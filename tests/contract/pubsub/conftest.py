"""One suite, several servers: the local cloud always, Google's emulator when its address is given.

PUBSUB_CONTRACT_EMULATOR=127.0.0.1:8085 pytest tests/contract/pubsub
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from infra.local.clock import RealClock
from infra.local.meter import Meter
from infra.local.pubsub.service import PubSubPart
from tests.contract.pubsub.cloud import Cloud

EMULATOR = os.environ.get("PUBSUB_CONTRACT_EMULATOR", "")


class NoTokens:
    """These tests push without tokens."""

    def id_token(self, email: str, audience: str) -> str:
        raise AssertionError("no token was asked for")


@pytest.fixture(scope="session")
def local_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    clock = RealClock()
    part = PubSubPart(tmp_path_factory.mktemp("pubsub"), clock, Meter(), NoTokens())
    options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(32), options=options)
    server.add_generic_rpc_handlers(part.handlers())
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    part.start()
    yield f"127.0.0.1:{port}"
    part.close()
    server.stop(0).wait(10)
    clock.close()


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
