"""Who does research, how it is watched, and what it may cost."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class ResearchSettings:
    """Fields of shared.config.Settings."""

    research_backend: str = setting(
        "RESEARCH_BACKEND",
        "Who runs Deep Research: gemini (needs GEMINI_API_KEY) or vertex (needs application-default credentials).",
        "gemini",
        parsing.choice("gemini", "vertex"),
    )
    research_engine: str = setting(
        "RESEARCH_ENGINE",
        "What does the research of tagged notes: deep-research, or agent (agent runs on the models of PLAN_MODEL and "
        "WORK_MODEL, which may be any).",
        "deep-research",
        parsing.choice("deep-research", "agent"),
    )
    research_base_url: str = setting(
        "RESEARCH_BASE_URL", "Another address of the Interactions API. Empty: the backend's own.", ""
    )
    research_project: str = setting(
        "RESEARCH_PROJECT", "The project that runs and pays Deep Research on Vertex. Empty: GOOGLE_CLOUD_PROJECT.", ""
    )
    research_agent: str = setting("RESEARCH_AGENT", "The Deep Research agent.", "deep-research-preview-04-2026")
    gemini_api_key: str = setting("GEMINI_API_KEY", "The key of the Gemini API.", "", secret=True)
    research_poll_min_seconds: float = setting(
        "RESEARCH_POLL_MIN_SECONDS", "The first wait between two polls.", 5.0, parsing.positive
    )
    research_poll_max_seconds: float = setting(
        "RESEARCH_POLL_MAX_SECONDS", "The longest wait between two polls.", 30.0, parsing.positive
    )
    research_deadline_seconds: float = setting(
        "RESEARCH_DEADLINE_SECONDS",
        "How long one interaction may run: five minutes more than the service's own cap.",
        7500.0,
        parsing.positive,
    )
    research_create_timeout_seconds: float = setting(
        "RESEARCH_CREATE_TIMEOUT_SECONDS",
        "How long a create may take to give its id; after that and a grace it counts as lost.",
        60.0,
        parsing.positive,
    )
    research_error_limit_seconds: float = setting(
        "RESEARCH_ERROR_LIMIT_SECONDS",
        "How long the service may answer polls with errors before the operation fails.",
        600.0,
        parsing.positive,
    )
    research_webhooks: str = setting(
        "RESEARCH_WEBHOOKS",
        "Whether the service tells of the end of a run, so that its report is there within seconds: on, off or auto. "
        "Only the Gemini API does. auto: where it can reach the webhook, which then has an https address.",
        "auto",
        parsing.choice("auto", "on", "off"),
    )
    research_net_seconds: float = setting(
        "RESEARCH_NET_SECONDS",
        "The longest wait between two polls of a run whose end the service tells of.",
        120.0,
        parsing.positive,
    )
    research_plan_first: bool = setting(
        "RESEARCH_PLAN_FIRST",
        "Whether a research plan is shown and waits for approval before the run is paid for, where a workspace does "
        "not say: on or off. Only Deep Research of the Gemini API makes plans; elsewhere research then begins without.",
        False,
        parsing.switch,
    )
    research_plan_days: float = setting(
        "RESEARCH_PLAN_DAYS",
        "How long a research plan waits for approval. The Gemini API keeps what it belongs to for 55 days, on the free "
        "tier for one; after that the run gets the plan's words alone.",
        30.0,
        parsing.positive,
    )
    webhook_url: str = setting(
        "WEBHOOK_URL", "Another public address of the function webhook. Empty: the one of FUNCTION_URL.", ""
    )
    webhook_secrets: tuple[bytes, ...] = setting(
        "WEBHOOK_SECRETS",
        "The signing secrets of webhooks that were registered for the whole project (whsec_...), separated by spaces; "
        "two of one webhook while its secret is changed. Those of single runs need none.",
        "",
        parsing.webhook_secrets,
        secret=True,
    )
    webhook_audience: str = setting(
        "WEBHOOK_AUDIENCE",
        "The audience that signatures of webhooks must name. Empty: an address must be the webhook's own, and any "
        "other word will do.",
        "",
    )
    redirect_hosts: str = setting(
        "REDIRECT_HOSTS",
        "Hosts whose citation links are redirects to be resolved, separated by commas.",
        "vertexaisearch.cloud.google.com",
    )
    monthly_usd: float = setting(
        "MONTHLY_USD",
        "What a workspace may spend on models in a month (UTC), in USD, where neither its document nor its plan says "
        "so: at the cap no research and no run is begun. 0: no cap.",
        0.0,
        parsing.amount,
    )
