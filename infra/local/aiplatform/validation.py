"""The checks that a create request has to pass, with the service's own refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.prompt import text_of
from infra.local.aiplatform.webhooks.registry import check_uri

_FIELDS = """background continuation_token environment input labels previous_interaction_id response_format
    response_mime_type response_modalities safety_settings service_tier store stream system_instruction tools
    webhook_config"""
_COMMON = frozenset(_FIELDS.split())
_AGENT = _COMMON | {"agent", "agent_config"}
_MODEL = _COMMON | {"model", "generation_config", "cached_content"}
_CONFIG: dict[str, tuple[str, ...] | type] = {
    "type": str,
    "thinking_summaries": ("auto", "none"),
    "visualization": ("auto", "off"),
    "collaborative_planning": bool,
    "enable_bigquery_tool": bool,
}
_AGENTS = (
    "deep-research-pro-preview-12-2025",
    "deep-research-preview-04-2026",
    "deep-research-max-preview-04-2026",
)


def check_create(body: Any, *, vertex: bool) -> Mapping[str, Any]:
    """The request as given, or ApiError 400/404 as the service would refuse it."""
    if not isinstance(body, dict):
        raise invalid("Invalid JSON payload received. An object is expected.")
    if ("agent" in body) == ("model" in body):
        raise invalid("Exactly one of `agent` and `model` must be set.", "agent")
    known = _AGENT if "agent" in body else _MODEL
    for name in body:
        if name not in known:
            raise _unknown(name)
    for name in ("background", "store", "stream"):
        if not isinstance(body.get(name, False), bool):
            raise invalid(f"Invalid value at '{name}' (TYPE_BOOL), {body[name]!r}", name)
    if not text_of(body.get("input")).strip():
        raise invalid("The input must not be empty.", "input")
    if body.get("background") and body.get("store") is False:
        raise invalid("background=true requires store=true.", "store")
    if "webhook_config" in body:
        _check_webhooks(body, vertex=vertex)
    if "agent" in body:
        _check_agent(body, vertex=vertex)
    return body


def _check_agent(body: Mapping[str, Any], *, vertex: bool) -> None:
    agent = body["agent"]
    if agent not in _AGENTS:
        raise ApiError(404, f"Agent {agent!r} is not found, or is not emulated by the local cloud.")
    if body.get("background") is not True:
        raise invalid(f"Agent {agent} can only be used with background=true.", "background")
    if vertex and body.get("previous_interaction_id"):
        raise invalid("previous_interaction_id is not supported for this agent.", "previous_interaction_id")
    if vertex and _config(body).get("collaborative_planning"):
        field = "agent_config.collaborative_planning"
        raise invalid("collaborative_planning is not supported for this agent.", field)
    for tool in body.get("tools") or ():
        if isinstance(tool, Mapping) and tool.get("type") == "function":
            raise invalid("Custom function tools are not supported for this agent.", "tools")
    for name, value in _config(body).items():
        if name not in _CONFIG:
            raise _unknown(f"agent_config.{name}")
        allowed = _CONFIG[name]
        if not (isinstance(value, allowed) if isinstance(allowed, type) else value in allowed):
            raise invalid(f"Invalid value at 'agent_config.{name}', {value!r}", f"agent_config.{name}")


def _check_webhooks(body: Mapping[str, Any], *, vertex: bool) -> None:
    config = body["webhook_config"]
    if vertex:
        raise _unknown("webhook_config")
    if not isinstance(config, Mapping) or not isinstance(config.get("uris"), list):
        raise invalid("webhook_config.uris must be a list of addresses.", "webhook_config.uris")
    for name in config:
        if name not in ("uris", "user_metadata"):
            raise _unknown(f"webhook_config.{name}")
    for uri in config["uris"]:
        check_uri(uri, "webhook_config.uris")
    if body.get("background") is not True:
        raise invalid("webhook_config requires background=true.", "background")


def _config(body: Mapping[str, Any]) -> Mapping[str, Any]:
    config = body.get("agent_config", {"type": "deep-research"})
    if not isinstance(config, Mapping) or config.get("type") != "deep-research":
        raise invalid("agent_config.type must be 'deep-research' for this agent.", "agent_config.type")
    return config


def _unknown(name: str) -> ApiError:
    leaf = name.rpartition(".")[2]
    place = f" at '{name.rpartition('.')[0]}'" if "." in name else ""
    return invalid(f'Invalid JSON payload received. Unknown name "{leaf}"{place}: Cannot find field.', name)
