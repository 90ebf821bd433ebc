"""Where the functions run, how they reach one another, and how long they wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class PlaceSettings:
    """Fields of shared.config.Settings."""

    project: str = setting("GOOGLE_CLOUD_PROJECT", "The Google Cloud project.")
    location: str = setting("MEMEX_LOCATION", "The region of functions and workflows.", "us-central1")
    database: str = setting("MEMEX_DATABASE", "The Firestore database.", "(default)")
    function_url: str = setting(
        "FUNCTION_URL",
        "Address of a function, {name} standing for its name; also the audience of tokens for it. "
        "Empty: https://{location}-{project}.cloudfunctions.net/{name}.",
        "",
    )
    function_audiences: str = setting(
        "FUNCTION_AUDIENCES",
        "Other addresses that tokens for a function may be meant for, such as that of a domain of one's own, separated "
        "by commas, {name} standing for its name.",
        "",
    )
    callers: Mapping[str, str] = setting(
        "FUNCTION_CALLERS",
        "Which service accounts may call each private function: name=account,account separated by semicolons.",
        "",
        parsing.pairs,
    )
    workflows_endpoint: str = setting(
        "WORKFLOWS_ENDPOINT", "host:port of another Workflows Executions service, without TLS. Empty: Google's.", ""
    )
    pubsub_endpoint: str = setting(
        "PUBSUB_EMULATOR_HOST", "host:port of another Pub/Sub service, without TLS. Empty: Google's.", ""
    )
    launch_lease_seconds: float = setting(
        "LAUNCH_LEASE_SECONDS",
        "How long a start of a workflow execution may take before another may try.",
        30.0,
        parsing.positive,
    )
    sweep_rest_seconds: float = setting(
        "SWEEP_REST_SECONDS",
        "How long the sweep's walks over all notes rest: each note looked at is paid for. 0: none, every five minutes.",
        3600.0,
        parsing.amount,
    )
    event_retention_days: float = setting(
        "EVENT_RETENTION_DAYS", "How long the events of operations are kept.", 90.0, parsing.positive
    )
    cors_origins: str = setting(
        "CORS_ORIGINS",
        "Origins whose pages may call the public functions, such as https://memex.example, separated by commas.",
        "",
    )
    mcp_hosts: str = setting(
        "MCP_HOSTS",
        "Under which hosts the function mcp answers, as the header Host has them, separated by commas; name:* is any "
        "port. Empty: that of the function's own address.",
        "",
    )
    sse_seconds: float = setting(
        "SSE_SECONDS", "How long one event stream stays open before the client must resume.", 300.0, parsing.positive
    )
    fault_kill: str = setting(
        "FAULT_KILL",
        "For tests only: name of a fault point at which the process kills itself, once, and the file that "
        "remembers it: point@file.",
        "",
    )
