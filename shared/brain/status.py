"""How the agents fare: their registry and the counts, which cost the same few reads however many jobs there are."""

from __future__ import annotations

from shared.brain.agent import BrainAgent
from shared.brain.ports import Ports
from shared.contracts.brain_api import AgentsAnswer, AgentStatus, JobCounts
from shared.contracts.jobs import AgentCounts
from shared.store.brain_counts import Counted

_STATES = tuple(JobCounts.model_fields)


def status(ports: Ports, workspace: str) -> AgentsAnswer:
    """Every agent, in the order of the documentation. COUNT_SHARDS reads. Raises Transient."""
    counted = ports.store(workspace).brain_counts.read()
    agents = tuple(_agent(agent, counted) for agent in ports.agents().values())
    sums = {name: sum(getattr(counts, name) for counts in counted.agents.values()) for name in _STATES}
    return AgentsAnswer(agents=agents, jobs=JobCounts(**sums))


def _agent(agent: BrainAgent, counted: Counted) -> AgentStatus:
    counts = counted.agents.get(agent.id, AgentCounts())
    last_run_at, model = counted.last_run(agent.id)
    ended = counts.done + counts.failed + counts.cancelled
    decided = counts.admitted + counts.merged + counts.refused
    return AgentStatus(
        **{name: getattr(counts, name) for name in _STATES},
        id=agent.id,
        description=agent.description,
        model_class=agent.model_class,
        model=model,
        last_run_at=last_run_at,
        success_rate=counts.done / ended if ended else None,
        refusal_rate=counts.refused / decided if decided else None,
        depends_on=agent.depends_on,
        reads=agent.reads,
        writes=agent.writes,
        emits=agent.emits,
    )
