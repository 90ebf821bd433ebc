"""Where the checkpoints of conversations are kept."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class SessionsSettings:
    """Fields of shared.config.Settings."""

    sessions: str = setting(
        "SESSIONS",
        "Where the checkpoints of conversations lie: firestore, agent-engine (the session service of Vertex AI), "
        "sqlite (one machine) or memory (lost when the process ends). docs/sessions.md says how to change it.",
        "firestore",
        parsing.choice("memory", "sqlite", "firestore", "agent-engine"),
    )
    sessions_path: str = setting("SESSIONS_PATH", "The file of the sessions (sqlite).", ".memex/sessions.sqlite")
    sessions_engine: str = setting(
        "SESSIONS_ENGINE",
        "The reasoning engine that sessions lie under: its id, or its whole resource name, which then says project and "
        "region too (agent-engine, which needs it).",
        "",
        parsing.engine,
    )
    sessions_project: str = setting(
        "SESSIONS_PROJECT", "The project of the reasoning engine. Empty: GOOGLE_CLOUD_PROJECT.", ""
    )
    sessions_location: str = setting(
        "SESSIONS_LOCATION", "The region of the reasoning engine. Empty: MEMEX_LOCATION.", ""
    )
    sessions_base_url: str = setting(
        "SESSIONS_BASE_URL", "Another address of the session service. Empty: that of its region.", ""
    )
    sessions_api: str = setting(
        "SESSIONS_API", "The version of the session service: v1 or v1beta1.", "v1", parsing.choice("v1", "v1beta1")
    )
    sessions_author: str = setting("SESSIONS_AUTHOR", "The author of the events that save a session.", "memex")
    sessions_ttl: str = setting(
        "SESSIONS_TTL",
        "How long the service keeps a session after it was first saved, such as 604800s; 86400s (24 hours) at least. "
        "Later turns do not move it. Empty: none is sent, and the service's own term holds.",
        "",
        parsing.ttl,
    )
    sessions_user_id: str = setting(
        "SESSIONS_USER_ID",
        "The user that the service notes for every session: metadata, and no permission. Empty: the workspace.",
        "",
    )
    sessions_operation_seconds: float = setting(
        "SESSIONS_OPERATION_SECONDS",
        "How long the service may take until a session is created or deleted.",
        30.0,
        parsing.positive,
    )
