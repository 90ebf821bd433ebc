"""The tool memory_agent_status."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from shared.contracts.base import UtcDatetime
from shared.contracts.brain_api import AgentStatus
from shared.errors import NotFound
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.mcp.tools.user import UserId


class Arguments(Camel):
    user_id: UserId = None
    agent_id: Annotated[str | None, Field(max_length=200, description="Only this agent; else all of them.")] = None


class Agent(Answer):
    id: str
    description: str
    status: Literal["running", "waiting", "idle"]
    """Whether it works on something, has something to work on, or neither."""
    last_run_at: UtcDatetime | None = None
    success_rate: float | None = None
    """From 0 to 1; not there before a job ended."""
    pending: int
    running: int
    failed: int
    refusal_rate: float | None = None
    """Of the candidates that it decided on; not there without any."""
    model: str
    """What it works with: rules where it was no model, empty before its first job."""
    depends_on: tuple[str, ...] = ()


class Agents(Answer):
    agents: tuple[Agent, ...]


def run(caller: Caller, arguments: Arguments) -> Agents:
    """How the agents of the memory fare: of each its last run, success rate, jobs that are pending, running and
    failed, how much it refused, and the model it works with."""
    caller.require(arguments.user_id)
    known = caller.app.brain.status(caller.workspace).agents
    found = tuple(one for one in known if arguments.agent_id in (None, one.id))
    if not found:
        names = ", ".join(one.id for one in known)
        raise NotFound(f"There is no agent {arguments.agent_id!r}; there are: {names}.")
    return Agents(agents=tuple(map(_shown, found)))


def _shown(agent: AgentStatus) -> Agent:
    same = {name: getattr(agent, name) for name in Agent.model_fields if name != "status"}
    return Agent(status="running" if agent.running else "waiting" if agent.pending else "idle", **same)


TOOL = McpTool("memory_agent_status", "How the memory agents fare", Arguments, Agents, run)
