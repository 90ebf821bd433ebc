"""The settings: read once from the environment, by this module alone, into one frozen object."""

from __future__ import annotations

import os
import re
import textwrap
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

from shared import parsing
from shared.contracts import grants, limits
from shared.contracts.grants import Grant
from shared.errors import SettingsError

_CREDENTIAL = re.compile(r".*(key|secret|token|password|credential|auth|cookie).*", re.IGNORECASE)
_FOR_HELPERS = ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT")


def _setting(env: str, doc: str, default: Any = None, parse: parsing.Parser = str, *, secret: bool = False) -> Any:
    """A field read from the variable `env`; without a default it is required. A secret's value is never quoted."""
    metadata = {"env": env, "doc": doc, "parse": parse, "required": default is None, "secret": secret}
    return field(default=default, metadata=metadata, repr=not secret)


@dataclass(frozen=True)
class Settings:
    """Every setting of the deployed functions. `python -m shared.config` prints them as documentation."""

    project: str = _setting("GOOGLE_CLOUD_PROJECT", "The Google Cloud project.")
    location: str = _setting("MEMEX_LOCATION", "The region of functions and workflows.", "us-central1")
    database: str = _setting("MEMEX_DATABASE", "The Firestore database.", "(default)")
    api_tokens: tuple[Grant, ...] = _setting(
        "API_TOKENS",
        "Static tokens of the API: sha256-of-token=workspace, then :reader or :member where it is no owner's, then "
        "@2026-12-31T00:00:00Z where it ends, separated by semicolons; sha256-of-token=*:operator is the operator's. "
        "`memex token` writes it.",
        "",
        grants.read,
        secret=True,
    )
    id_token_audiences: tuple[str, ...] = _setting(
        "ID_TOKEN_AUDIENCES",
        "Whose ID tokens the API takes, separated by commas: client ids of Google's sign-in "
        "(….apps.googleusercontent.com) or Firebase projects. Who comes with one must be a member of a workspace. "
        "Empty: static tokens alone.",
        "",
        parsing.audiences,
    )
    id_token_keys_url: str = _setting(
        "ID_TOKEN_KEYS_URL",
        "For the local cloud only: where the keys of ID tokens are, instead of Google's and Firebase's. Refused where "
        "Firestore is not emulated.",
        "",
        parsing.loopback_page,
    )
    requests_per_second: float = _setting(
        "REQUESTS_PER_SECOND",
        "How many requests a caller may make in a second, at length, of one instance of a function; beyond that it "
        "answers 429.",
        limits.REQUESTS_PER_SECOND,
        parsing.positive,
    )
    requests_burst: int = _setting(
        "REQUESTS_BURST", "How many requests a caller may make at once.", limits.REQUESTS_BURST, parsing.count
    )
    function_url: str = _setting(
        "FUNCTION_URL",
        "Address of a function, {name} standing for its name; also the audience of tokens for it. "
        "Empty: https://{location}-{project}.cloudfunctions.net/{name}.",
        "",
    )
    function_audiences: str = _setting(
        "FUNCTION_AUDIENCES",
        "Other addresses that tokens for a function may be meant for, such as that of a domain of one's own, separated "
        "by commas, {name} standing for its name.",
        "",
    )
    callers: Mapping[str, str] = _setting(
        "FUNCTION_CALLERS",
        "Which service accounts may call each private function: name=account,account separated by semicolons.",
        "",
        parsing.pairs,
    )
    workflows_endpoint: str = _setting(
        "WORKFLOWS_ENDPOINT", "host:port of another Workflows Executions service, without TLS. Empty: Google's.", ""
    )
    pubsub_endpoint: str = _setting(
        "PUBSUB_EMULATOR_HOST", "host:port of another Pub/Sub service, without TLS. Empty: Google's.", ""
    )
    research_backend: str = _setting(
        "RESEARCH_BACKEND",
        "Who runs Deep Research: gemini (needs GEMINI_API_KEY) or vertex (needs application-default credentials).",
        "gemini",
        parsing.choice("gemini", "vertex"),
    )
    research_engine: str = _setting(
        "RESEARCH_ENGINE",
        "What does the research of tagged notes: deep-research, or agent (agent runs on the models of PLAN_MODEL and "
        "WORK_MODEL, which may be any).",
        "deep-research",
        parsing.choice("deep-research", "agent"),
    )
    research_base_url: str = _setting(
        "RESEARCH_BASE_URL", "Another address of the Interactions API. Empty: the backend's own.", ""
    )
    research_project: str = _setting(
        "RESEARCH_PROJECT", "The project that runs and pays Deep Research on Vertex. Empty: GOOGLE_CLOUD_PROJECT.", ""
    )
    research_agent: str = _setting("RESEARCH_AGENT", "The Deep Research agent.", "deep-research-preview-04-2026")
    gemini_api_key: str = _setting("GEMINI_API_KEY", "The key of the Gemini API.", "", secret=True)
    research_poll_min_seconds: float = _setting(
        "RESEARCH_POLL_MIN_SECONDS", "The first wait between two polls.", 5.0, parsing.positive
    )
    research_poll_max_seconds: float = _setting(
        "RESEARCH_POLL_MAX_SECONDS", "The longest wait between two polls.", 30.0, parsing.positive
    )
    research_deadline_seconds: float = _setting(
        "RESEARCH_DEADLINE_SECONDS",
        "How long one interaction may run: five minutes more than the service's own cap.",
        7500.0,
        parsing.positive,
    )
    research_create_timeout_seconds: float = _setting(
        "RESEARCH_CREATE_TIMEOUT_SECONDS",
        "How long a create may take to give its id; after that and a grace it counts as lost.",
        60.0,
        parsing.positive,
    )
    research_error_limit_seconds: float = _setting(
        "RESEARCH_ERROR_LIMIT_SECONDS",
        "How long the service may answer polls with errors before the operation fails.",
        600.0,
        parsing.positive,
    )
    research_webhooks: str = _setting(
        "RESEARCH_WEBHOOKS",
        "Whether the service tells of the end of a run, so that its report is there within seconds: on, off or auto. "
        "Only the Gemini API does. auto: where it can reach the webhook, which then has an https address.",
        "auto",
        parsing.choice("auto", "on", "off"),
    )
    research_net_seconds: float = _setting(
        "RESEARCH_NET_SECONDS",
        "The longest wait between two polls of a run whose end the service tells of.",
        120.0,
        parsing.positive,
    )
    research_plan_first: bool = _setting(
        "RESEARCH_PLAN_FIRST",
        "Whether a research plan is shown and waits for approval before the run is paid for, where a workspace does "
        "not say: on or off. Only Deep Research of the Gemini API makes plans; elsewhere research then begins without.",
        False,
        parsing.switch,
    )
    research_plan_days: float = _setting(
        "RESEARCH_PLAN_DAYS",
        "How long a research plan waits for approval. The Gemini API keeps what it belongs to for 55 days, on the free "
        "tier for one; after that the run gets the plan's words alone.",
        30.0,
        parsing.positive,
    )
    webhook_url: str = _setting(
        "WEBHOOK_URL", "Another public address of the function webhook. Empty: the one of FUNCTION_URL.", ""
    )
    webhook_secrets: tuple[bytes, ...] = _setting(
        "WEBHOOK_SECRETS",
        "The signing secrets of webhooks that were registered for the whole project (whsec_...), separated by spaces; "
        "two of one webhook while its secret is changed. Those of single runs need none.",
        "",
        parsing.webhook_secrets,
        secret=True,
    )
    webhook_audience: str = _setting(
        "WEBHOOK_AUDIENCE",
        "The audience that signatures of webhooks must name. Empty: an address must be the webhook's own, and any "
        "other word will do.",
        "",
    )
    model_preset: str = _setting(
        "MODEL_PRESET",
        "A whole choice of backend, address and models, of which each may still be set: ollama (gpt-oss:20b for chat "
        "and plans, gemma4 for work, nomic-embed-text, at 127.0.0.1:11434).",
        "",
        parsing.choice("", "ollama"),
    )
    model_backend: str = _setting(
        "MODEL_BACKEND",
        "Who answers for the models: gemini (needs a key), vertex (needs application-default credentials), openai "
        "(any server with OpenAI's chat completions: Ollama, llama.cpp, vLLM) or none. Empty: the preset's, or gemini.",
        "",
        parsing.choice("", "gemini", "vertex", "openai", "none"),
    )
    model_base_url: str = _setting(
        "MODEL_BASE_URL",
        "Another address of the model service; for openai the one that ends in /v1. Empty: the backend's own.",
        "",
    )
    model_api_key: str = _setting(
        "MODEL_API_KEY",
        "The key of the model service. Empty: GEMINI_API_KEY for gemini, none for openai.",
        "",
        secret=True,
    )
    model_project: str = _setting(
        "MODEL_PROJECT",
        "The project that runs and pays the models on Vertex. Empty: RESEARCH_PROJECT, or GOOGLE_CLOUD_PROJECT.",
        "",
    )
    model_location: str = _setting("MODEL_LOCATION", "Where Vertex answers for the models.", "global")
    chat_model: str = _setting(
        "CHAT_MODEL", "The model of the chat. Empty: gemini-3.8-flash, or the preset's; openai has none by itself.", ""
    )
    enrich_model: str = _setting(
        "ENRICH_MODEL",
        "The model that summarises notes and suggests tags. Empty: gemini-3.5-flash-lite, the preset's, or CHAT_MODEL.",
        "",
    )
    plan_model: str = _setting(
        "PLAN_MODEL", "The model that plans runs. Empty: gemini-3.8-flash, the preset's, or CHAT_MODEL.", ""
    )
    work_model: str = _setting(
        "WORK_MODEL", "The model that does the steps of runs. Empty: gemini-3.8-flash, the preset's, or CHAT_MODEL.", ""
    )
    embed_model: str = _setting(
        "EMBED_MODEL",
        "The model that makes embeddings. Empty: gemini-embedding-001, or the preset's. Another one means other "
        "vectors: notes are embedded anew as they change.",
        "",
    )
    embed_dimensions: int = _setting(
        "EMBED_DIMENSIONS",
        "How many numbers an embedding of Gemini's has, 2048 at most; other servers have their own size.",
        768,
        parsing.dimensions,
    )
    embed_query_prefix: str = _setting(
        "EMBED_QUERY_PREFIX", "Stands before a query that is embedded, where the model wants it (openai).", ""
    )
    embed_text_prefix: str = _setting(
        "EMBED_TEXT_PREFIX", "Stands before a text that is embedded, where the model wants it (openai).", ""
    )
    brain_models: str = _setting(
        "BRAIN_MODELS",
        "What the agents of the brain work with: roles (the models of ENRICH_MODEL, WORK_MODEL and PLAN_MODEL, and "
        "EMBED_MODEL) or rules (no model at all).",
        "roles",
        parsing.choice("roles", "rules"),
    )
    launch_lease_seconds: float = _setting(
        "LAUNCH_LEASE_SECONDS",
        "How long a start of a workflow execution may take before another may try.",
        30.0,
        parsing.positive,
    )
    sweep_rest_seconds: float = _setting(
        "SWEEP_REST_SECONDS",
        "How long the sweep's walks over all notes rest: each note looked at is paid for. 0: none, every five minutes.",
        3600.0,
        parsing.amount,
    )
    redirect_hosts: str = _setting(
        "REDIRECT_HOSTS",
        "Hosts whose citation links are redirects to be resolved, separated by commas.",
        "vertexaisearch.cloud.google.com",
    )
    objects_url: str = _setting(
        "OBJECTS_URL",
        "Where files lie, such as uploaded documents: gs://bucket/prefix, s3://bucket/prefix or file:///folder. Empty: "
        "there is no such place, and what needs one is refused.",
        "",
    )
    objects_options: Mapping[str, str] = _setting(
        "OBJECTS_OPTIONS",
        "What else it takes to reach them: name=value;name=value, for S3 such as endpoint, region, access_key_id and "
        "secret_access_key. Empty: as the store's own tools find it.",
        "",
        parsing.pairs,
        secret=True,
    )
    event_retention_days: float = _setting(
        "EVENT_RETENTION_DAYS", "How long the events of operations are kept.", 90.0, parsing.positive
    )
    allow_agent_runs: bool = _setting(
        "ALLOW_AGENT_RUNS",
        "Whether workspaces whose plan has agent runs may start them: on or off.",
        False,
        parsing.switch,
    )
    monthly_usd: float = _setting(
        "MONTHLY_USD",
        "What a workspace may spend on models in a month (UTC), in USD, where neither its document nor its plan says "
        "so: at the cap no research and no run is begun. 0: no cap.",
        0.0,
        parsing.amount,
    )
    cors_origins: str = _setting(
        "CORS_ORIGINS",
        "Origins whose pages may call the public functions, such as https://memex.example, separated by commas.",
        "",
    )
    mcp_hosts: str = _setting(
        "MCP_HOSTS",
        "Under which hosts the function mcp answers, as the header Host has them, separated by commas; name:* is any "
        "port. Empty: that of the function's own address.",
        "",
    )
    chat_max_iterations: int = _setting(
        "CHAT_MAX_ITERATIONS", "How many answers of the model one turn may have.", 16, parsing.count
    )
    chat_max_tokens: int = _setting(
        "CHAT_MAX_TOKENS", "How many tokens, in and out, one turn may use before it ends.", 400_000, parsing.count
    )
    chat_max_calls: int = _setting("CHAT_MAX_CALLS", "How many tool calls one turn may make.", 40, parsing.count)
    chat_max_seconds: float = _setting(
        "CHAT_MAX_SECONDS", "How long one turn may take, with whoever carries it on.", 300.0, parsing.positive
    )
    chat_lease_seconds: float = _setting(
        "CHAT_LEASE_SECONDS",
        "How long a turn's worker is taken to live after its last sign; then the turn is carried on by another.",
        20.0,
        parsing.positive,
    )
    chat_history_tokens: int = _setting(
        "CHAT_HISTORY_TOKENS",
        "How many tokens of earlier turns go to the model word by word; older ones become a summary.",
        12_000,
        parsing.count,
    )
    chat_retry_seconds: float = _setting(
        "CHAT_RETRY_SECONDS",
        "The first wait before a model that failed in passing is asked again.",
        1.0,
        parsing.positive,
    )
    run_max_steps: int = _setting("RUN_MAX_STEPS", "How many steps a run may be planned with.", 8, parsing.count)
    run_lanes: int = _setting(
        "RUN_LANES", "How many steps of a run are worked on at once, 10 at most.", 3, parsing.lanes
    )
    run_step_iterations: int = _setting(
        "RUN_STEP_ITERATIONS", "How many answers of the model one step of a run may have.", 12, parsing.count
    )
    run_seconds: float = _setting(
        "RUN_SECONDS",
        "How long the steps of a run may take; then it answers with what there is.",
        600.0,
        parsing.positive,
    )
    run_max_calls: int = _setting("RUN_MAX_CALLS", "How many tool calls one run may make.", 120, parsing.count)
    run_max_tokens: int = _setting(
        "RUN_MAX_TOKENS", "How many tokens, in and out, one run may use.", 1_500_000, parsing.count
    )
    run_max_usd: float = _setting("RUN_MAX_USD", "What one run may cost in USD, at list price.", 5.0, parsing.positive)
    run_lease_seconds: float = _setting(
        "RUN_LEASE_SECONDS",
        "How long a step's worker is taken to live after its last sign; then the step is carried on by another.",
        20.0,
        parsing.positive,
    )
    run_request_seconds: float = _setting(
        "RUN_REQUEST_SECONDS",
        "How long one request works on a step of a run before it gives its lane back.",
        420.0,
        parsing.positive,
    )
    run_retry_seconds: float = _setting(
        "RUN_RETRY_SECONDS",
        "The first wait before a step that failed in passing is begun again; doubled for the second.",
        5.0,
        parsing.positive,
    )
    allow_internet_access: bool = _setting(
        "ALLOW_INTERNET_ACCESS",
        "Whether models may search the web and read pages (the tools web_search and fetch_url): on or off.",
        True,
        parsing.switch,
    )
    search_provider: str = _setting(
        "SEARCH_PROVIDER",
        "Who searches the web: gemini (Google, through a model of Gemini's or Vertex's), searxng (needs SEARXNG_URL), "
        "brave (needs BRAVE_API_KEY) or none. Empty: gemini where the models are Gemini's or Vertex's, else none.",
        "",
        parsing.choice("", "gemini", "searxng", "brave", "none"),
    )
    search_model: str = _setting(
        "SEARCH_MODEL", "The model that searches with Google. Empty: gemini-3.5-flash-lite.", ""
    )
    searxng_url: str = _setting(
        "SEARXNG_URL", "The address of a SearXNG server whose settings allow the format json.", ""
    )
    brave_api_key: str = _setting("BRAVE_API_KEY", "The key of Brave's search API.", "", secret=True)
    fetch_seconds: float = _setting(
        "FETCH_SECONDS", "How long getting one page may take, all redirects included.", 15.0, parsing.positive
    )
    fetch_max_bytes: int = _setting(
        "FETCH_MAX_BYTES", "How much of a page is read, as it comes and once it is unpacked.", 5_000_000, parsing.count
    )
    fetch_ports: frozenset[int] = _setting(
        "FETCH_PORTS", "Ports beside 80 and 443 that pages may be read from, separated by commas.", "", parsing.ports
    )
    emulated_web: str = _setting(
        "EMULATED_WEB",
        "For the local cloud only: where its invented web pages are, which may be read although that is loopback. "
        "Refused where Firestore is not emulated.",
        "",
        parsing.loopback,
    )
    sessions: str = _setting(
        "SESSIONS",
        "Where the checkpoints of conversations lie: firestore, agent-engine (the session service of Vertex AI), "
        "sqlite (one machine) or memory (lost when the process ends). docs/sessions.md says how to change it.",
        "firestore",
        parsing.choice("memory", "sqlite", "firestore", "agent-engine"),
    )
    sessions_path: str = _setting("SESSIONS_PATH", "The file of the sessions (sqlite).", ".memex/sessions.sqlite")
    sessions_engine: str = _setting(
        "SESSIONS_ENGINE",
        "The reasoning engine that sessions lie under: its id, or its whole resource name, which then says project and "
        "region too (agent-engine, which needs it).",
        "",
        parsing.engine,
    )
    sessions_project: str = _setting(
        "SESSIONS_PROJECT", "The project of the reasoning engine. Empty: GOOGLE_CLOUD_PROJECT.", ""
    )
    sessions_location: str = _setting(
        "SESSIONS_LOCATION", "The region of the reasoning engine. Empty: MEMEX_LOCATION.", ""
    )
    sessions_base_url: str = _setting(
        "SESSIONS_BASE_URL", "Another address of the session service. Empty: that of its region.", ""
    )
    sessions_api: str = _setting(
        "SESSIONS_API", "The version of the session service: v1 or v1beta1.", "v1", parsing.choice("v1", "v1beta1")
    )
    sessions_author: str = _setting("SESSIONS_AUTHOR", "The author of the events that save a session.", "memex")
    sessions_ttl: str = _setting(
        "SESSIONS_TTL",
        "How long the service keeps a session after it was first saved, such as 604800s; 86400s (24 hours) at least. "
        "Later turns do not move it. Empty: none is sent, and the service's own term holds.",
        "",
        parsing.ttl,
    )
    sessions_user_id: str = _setting(
        "SESSIONS_USER_ID",
        "The user that the service notes for every session: metadata, and no permission. Empty: the workspace.",
        "",
    )
    sessions_operation_seconds: float = _setting(
        "SESSIONS_OPERATION_SECONDS",
        "How long the service may take until a session is created or deleted.",
        30.0,
        parsing.positive,
    )
    sse_seconds: float = _setting(
        "SSE_SECONDS", "How long one event stream stays open before the client must resume.", 300.0, parsing.positive
    )
    log_format: str = _setting(
        "LOG_FORMAT",
        "How logs are written: json (one object a line, as Cloud Logging reads it) or text. Empty: json on Cloud Run.",
        "",
        parsing.choice("", "json", "text"),
    )
    cloud_run_service: str = _setting("K_SERVICE", "The service's name, where Cloud Run runs it and says so.", "")
    otlp_endpoint: str = _setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "Where spans of OpenTelemetry are sent to, by OTLP over HTTP (/v1/traces is added). Empty: none are recorded.",
        "",
        parsing.web_address,
    )
    otlp_headers: Mapping[str, str] = _setting(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "What the receiver of spans wants as headers, such as its key: name=value;name=value.",
        "",
        parsing.pairs,
        secret=True,
    )
    fault_kill: str = _setting(
        "FAULT_KILL",
        "For tests only: name of a fault point at which the process kills itself, once, and the file that "
        "remembers it: point@file.",
        "",
    )

    def url_of(self, function: str) -> str:
        """The address of a function, which is also the audience of tokens meant for it."""
        template = self.function_url or f"https://{self.location}-{self.project}.cloudfunctions.net/{{name}}"
        return template.replace("{name}", function)

    @property
    def json_logs(self) -> bool:
        return self.log_format == "json" or (not self.log_format and bool(self.cloud_run_service))

    @property
    def webhook_address(self) -> str:
        """Where the service tells of the ends of runs."""
        return self.webhook_url or self.url_of("webhook")

    @property
    def makes_plans(self) -> bool:
        """Whether what does the research can show a plan first."""
        return self.research_backend == "gemini" and self.research_engine == "deep-research"

    @property
    def early_wake(self) -> bool:
        """Whether a run is begun with a webhook."""
        able = self.research_backend == "gemini" and self.research_engine == "deep-research"
        if not able or self.research_webhooks == "off":
            return False
        emulated = is_loopback(self.research_base_url) and is_loopback(self.webhook_address)
        return self.research_webhooks == "on" or self.webhook_address.startswith("https://") or emulated

    def audiences_of(self, function: str) -> tuple[str, ...]:
        """The addresses that a token for a function may be meant for: what it is called by, or something below it."""
        others = (one.strip().replace("{name}", function) for one in self.function_audiences.split(","))
        return tuple(one.rstrip("/") for one in (self.url_of(function), *others) if one)

    def callers_of(self, function: str) -> frozenset[str]:
        """The service account addresses that may call a private function."""
        return frozenset(name.strip() for name in self.callers.get(function, "").split(",") if name.strip())

    @property
    def mcp_host_names(self) -> tuple[str, ...]:
        """The hosts under which the function mcp answers."""
        given = tuple(host.strip() for host in self.mcp_hosts.split(",") if host.strip())
        return given or (urlsplit(self.url_of("mcp")).netloc,)

    def secrets(self) -> Iterator[str]:
        """What must stand in no log and no answer: keys, the hashes of tokens, and what of a pair is a credential."""
        for item in fields(self):
            value = getattr(self, item.name) if item.metadata["secret"] else ""
            if isinstance(value, str):
                yield value
            elif isinstance(value, Mapping):
                yield from (one for name, one in value.items() if _CREDENTIAL.fullmatch(name))
            else:
                yield from (one.digest if isinstance(one, Grant) else b64encode(one).decode() for one in value)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        """Settings from variables. Raises SettingsError that names every variable that is missing or malformed."""
        values, problems = {}, []
        for item in fields(cls):
            name = item.metadata["env"]
            raw = env.get(name)
            if raw is None or (raw == "" and item.metadata["required"]):
                if item.metadata["required"]:
                    problems.append(f"{name} is not set: {item.metadata['doc']}")
                elif isinstance(item.default, str):
                    values[item.name] = _parsed(item.metadata, item.default, problems)
                continue
            values[item.name] = _parsed(item.metadata, raw, problems)
        if values.get("sessions") == "agent-engine" and not values.get("sessions_engine"):
            problems.append("SESSIONS_ENGINE is not set, and SESSIONS=agent-engine needs it")
        if values.get("sessions") == "agent-engine" and not values.get("sessions_author"):
            problems.append("SESSIONS_AUTHOR is empty, and the session service takes no event without an author")
        if values.get("id_token_keys_url") and not env.get("FIRESTORE_EMULATOR_HOST"):
            problems.append("ID_TOKEN_KEYS_URL is set outside the local cloud: unset it")
        if values.get("emulated_web") and not env.get("FIRESTORE_EMULATOR_HOST"):
            problems.append("EMULATED_WEB is set outside the local cloud: unset it")
        if problems:
            raise SettingsError("; ".join(problems))
        return cls(**values)


def _parsed(metadata: Mapping[str, Any], raw: str, problems: list[str]) -> Any:
    try:
        return metadata["parse"](raw)
    except ValueError as error:
        given = "malformed" if metadata["secret"] else repr(raw)
        problems.append(f"{metadata['env']} is {given}: {error}. {metadata['doc']}")
        return None


def load() -> Settings:
    """The settings of this process. Raises SettingsError with a sentence that says what to set."""
    return Settings.from_env(os.environ)


def is_loopback(url: str) -> bool:
    """Whether an address is one of this machine."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def helper_environment() -> dict[str, str]:
    """What a process that helps this one finds in its environment: how to run, and no secret."""
    return {name: os.environ[name] for name in _FOR_HELPERS if name in os.environ}


def names() -> frozenset[str]:
    """The variables that are settings."""
    return frozenset(item.metadata["env"] for item in fields(Settings))


def documentation() -> str:
    """A Markdown table of all settings."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for item in fields(Settings):
        written = _written(item.default)
        default = "required" if item.metadata["required"] else f"`{written}`" if written != "" else ""
        rows.append(f"| `{item.metadata['env']}` | {default} | {item.metadata['doc']} |")
    return "\n".join(rows) + "\n"


def _written(default: Any) -> Any:
    """A default as it would be set."""
    return ("on" if default else "off") if isinstance(default, bool) else default


def example() -> str:
    """An .env file with every setting: what must be set is empty, the rest stands as a comment with its default."""
    blocks = []
    for item in fields(Settings):
        words = item.metadata["doc"] + (" Secret." if item.metadata["secret"] else "")
        comment = textwrap.fill(words, 118, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
        given = "" if item.metadata["required"] or item.default == "" else _written(item.default)
        mark = "" if item.metadata["required"] else "#"
        blocks.append(f"{comment}\n{mark}{item.metadata['env']}={given}\n")
    return "\n".join(blocks)
