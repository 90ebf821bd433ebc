"""Spans of calls to models, agents and tools, by the semantic conventions of generative AI."""

from __future__ import annotations

from contextlib import AbstractContextManager

from shared.telemetry.spans import Attributes, Span, span


def model_call(provider: str, model: str) -> AbstractContextManager[Span]:
    """A question to a model; `usage` tells of its answer."""
    told = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": model}
    return span(f"chat {model}", "client", told, current=False)


def usage(model: str, input_tokens: int, output_tokens: int) -> Attributes:
    """What the model that answered has used."""
    counts = {"gen_ai.usage.input_tokens": input_tokens, "gen_ai.usage.output_tokens": output_tokens}
    return {"gen_ai.response.model": model, **counts}


def embedding_call(provider: str, model: str) -> AbstractContextManager[Span]:
    told = {"gen_ai.operation.name": "embeddings", "gen_ai.provider.name": provider, "gen_ai.request.model": model}
    return span(f"embeddings {model}", "client", told)


def agent_call(provider: str, agent: str) -> AbstractContextManager[Span]:
    """The beginning of a run of an agent elsewhere."""
    told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": provider, "gen_ai.agent.name": agent}
    return span(f"invoke_agent {agent}", "client", told)


def tool_call(name: str, call_id: str) -> AbstractContextManager[Span]:
    told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": call_id}
    return span(f"execute_tool {name}", "internal", told)
