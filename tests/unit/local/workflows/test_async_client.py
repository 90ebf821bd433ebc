"""The unmodified asynchronous ExecutionsClient of google-cloud-workflows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.workflows import executions_v1
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcAsyncIOTransport

from tests.unit.local.workflows.support import PARENT, Cloud

FLOW = f"{PARENT}/flow"
ECHO = """
main:
  params: [args]
  steps:
    - done:
        return: ${args}
"""


@pytest.fixture
def address(cloud: Cloud) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    server.add_generic_rpc_handlers(tuple(cloud.part.handlers()))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0).wait()


def test_executions_are_created_read_listed_and_refused(cloud: Cloud, address: str) -> None:
    cloud.deploy(ECHO)

    async def main() -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            client = executions_v1.ExecutionsAsyncClient(transport=ExecutionsGrpcAsyncIOTransport(channel=channel))
            made = await client.create_execution(parent=FLOW, execution={"argument": '{"n": 1}'})
            assert await asyncio.to_thread(
                cloud.clock.run_until, lambda: cloud.ended(made.name), limit=timedelta(minutes=1)
            )
            found = await client.get_execution(name=made.name)
            assert (found.state, json.loads(found.result)) == (executions_v1.Execution.State.SUCCEEDED, {"n": 1})
            assert [each.name async for each in await client.list_executions(parent=FLOW)] == [made.name]
            with pytest.raises(exceptions.FailedPrecondition):
                await client.cancel_execution(name=made.name)
            with pytest.raises(exceptions.NotFound):
                await client.get_execution(name=f"{FLOW}/executions/none")

    asyncio.run(asyncio.wait_for(main(), 60))
