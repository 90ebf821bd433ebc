"""The memex for MCP clients: the SDK's own client, over HTTP, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from shared.mcp.catalogue import TOOLS
from tests.e2e.world import WORKSPACE, World

T = TypeVar("T")
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
TIMEOUT_SECONDS = 20.0


def talk(world: World, mode: str, talking: Callable[[Client], Awaitable[T]], **headers: str) -> T:
    """What `talking` returns, given a client that is connected as `mode` says."""

    async def connected() -> T:
        sent = {"Authorization": f"Bearer {world.address.token}", **headers}
        async with httpx2.AsyncClient(headers=sent, timeout=TIMEOUT_SECONDS, trust_env=False) as http:
            transport = streamable_http_client(f"{world.address.http}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await talking(client)

    return world.act(lambda: asyncio.run(connected()))


def call(world: World, mode: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """What the tool answers; it must not refuse."""

    async def calling(client: Client) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return dict(result.structured_content or {})

    return talk(world, mode, calling)


def refusal(world: World, mode: str, tool: str, **arguments: Any) -> str:
    """What the tool says against it."""

    async def calling(client: Client) -> str:
        result = await client.call_tool(tool, arguments)
        assert result.is_error and result.content[0].type == "text"
        return str(result.content[0].text)

    return talk(world, mode, calling)


def stored(world: World, collection: str) -> list[str]:
    """The ids of what is in a collection, read past the product."""
    return [one.id for one in world.firestore.collection("workspaces", WORKSPACE, collection).stream()]


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_of_either_era_finds_the_tools_and_is_told_of_one_that_is_none(world: World, mode: str) -> None:
    async def looking(client: Client) -> tuple[str, list[str]]:
        with pytest.raises(MCPError, match="There is no tool 'format_disk'"):
            await client.call_tool("format_disk", {})
        return str(client.protocol_version), [tool.name for tool in (await client.list_tools()).tools]

    assert talk(world, mode, looking) == (ERAS[mode], list(TOOLS))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ERAS)
def test_notes_and_research_through_either_era(world: World, mode: str) -> None:
    made = call(world, mode, "notes_create", title="Bulk", body="Rye ferments faster than wheat.", key="k")
    assert call(world, mode, "notes_create", title="Bulk", body="Rye ferments faster than wheat.", key="k") == made
    world.settle()
    found = call(world, mode, "notes_search", query="which ferments faster")
    assert made["noteId"] in [one["noteId"] for one in found["notes"]]
    world.request("POST", "/api/v1/tasks", json={"title": "Feed the starter", "due": "2026-12-01"})
    assert [one["title"] for one in call(world, mode, "tasks_list", done=False)["tasks"]] == ["Feed the starter"]
    begun = [call(world, mode, "research_start", question="How long should rye rest?", key="r") for _ in range(2)]
    assert begun[0] == begun[1]
    world.until(world.finished)
    (operation,) = world.stored_operations()
    assert (operation["id"], operation["status"]) == (begun[0]["operationId"], "completed")
    assert operation["source_note_id"] == begun[0]["noteId"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ERAS)
def test_the_memory_through_either_era(world: World, mode: str) -> None:
    note_id = world.write_note("I prefer green tea in the morning.")
    call(world, mode, "notes_create", body="I prefer black tea in the evening.")
    world.until(lambda: bool(stored(world, "records")))
    world.settle()
    (record,) = call(world, mode, "memory_recall", query="which tea?")["records"]
    assert record["sources"][0]["link"] == f"#/notes/{note_id}"
    told = call(world, mode, "memory_provenance", recordId=record["recordId"])
    assert told["sources"][0]["id"] == note_id and told["sources"][0]["quote"] in "I prefer green tea in the morning."
    assert told["trail"][0]["status"] == "committed" and told["trail"][0]["by"]["agentId"] == "cognitive_extractor"
    (committer,) = call(world, mode, "memory_agent_status", agentId="committer")["agents"]
    assert committer["successRate"] == 1.0 and committer["model"] == "rules"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ERAS)
def test_an_agent_is_run_and_its_job_followed_through_either_era(world: World, mode: str) -> None:
    job = call(world, mode, "memory_agent_run", agentId="situation_reporter", input={}, userId=WORKSPACE, priority=90)
    assert job["status"] == "pending"
    world.settle()
    (agent,) = call(world, mode, "memory_agent_status", agentId="situation_reporter")["agents"]
    assert (agent["status"], agent["pending"], agent["successRate"]) == ("idle", 0, 1.0) and agent["lastRunAt"]
    retried = call(world, mode, "memory_job_retry", jobId=job["jobId"])
    assert (retried["status"], retried["changed"]) == ("done", False) and retried["message"]
    assert "there are: " in refusal(world, mode, "memory_agent_run", agentId="gardener", input={})
    assert "not_found" in refusal(world, mode, "memory_job_retry", jobId="job_of_nobody")
    shown = world.request("GET", f"/api/v1/brain/jobs/{job['jobId']}")["job"]
    assert shown["user"].startswith("token-") and shown["priority"] == 90


def refused(world: World, mode: str, **headers: str) -> str:
    """Why a client with these headers is not let in."""

    async def looking(client: Client) -> None:
        await client.list_tools()

    with pytest.raises(ExceptionGroup) as failure:
        talk(world, mode, looking, **headers)
    return _innermost(failure.value)


def _innermost(failure: BaseException) -> str:
    while isinstance(failure, BaseExceptionGroup):
        (failure,) = failure.exceptions
    assert isinstance(failure, MCPError)
    return str(failure)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ERAS)
def test_who_may_not_is_told_why(world: World, mode: str) -> None:
    assert "The token is not known" in refused(world, mode, Authorization="Bearer wrong")
    assert "https://evil.example may not call" in refused(world, mode, Origin="https://evil.example")
    assert "leave userId out" in refusal(world, mode, "memory_agent_status", userId="somebody")
    huge = {"document_id": "x" * 32_000}
    assert "bytes of JSON are too many" in refusal(
        world, mode, "memory_agent_run", agentId="source_chunker", input=huge
    )
    with pytest.raises(ExceptionGroup) as failure:
        refusal(world, mode, "notes_create", body="x" * 1_000_001)
    assert "larger than 1000000 bytes" in _innermost(failure.value)
    # The front of the local cloud refuses a host that is not loopback before any function is asked.
    assert refused(world, mode, Host="evil.example")
