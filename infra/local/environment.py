"""What the functions find in their environment: the settings of production, with local addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from infra.local.front.invoker import account_address
from shared.contracts.manifest import Manifest

INHERITED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "USER",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYTHONHASHSEED",
    "PYTHONWARNINGS",
    "GOOGLE_APPLICATION_CREDENTIALS",
)
"""What a host process takes over of ours; above all no proxy, and no setting of the product by accident."""

EMULATED_KEY = "local"
"""The key of the emulated models; any other one means the real service."""


EMULATED_ENGINE = "1"
"""The reasoning engine that sessions lie under; any other one is there as well."""


@dataclass(frozen=True)
class Place:
    """Where the local cloud is: project, workspace, addresses, token."""

    project: str
    location: str
    workspace: str
    http: str
    grpc: str
    token: str
    web: str = ""
    """Where the invented web pages are."""

    @property
    def function_url(self) -> str:
        """The address of a function, {name} standing for its name."""
        return f"{self.http}/_functions/{{name}}"


def settings_of(place: Place, manifest: Manifest, ours: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, str]:
    """The settings of the functions; `ours` is this process's environment.

    `wanted` wins over everything, but that the place's own token opens its workspace beside the tokens that are wanted.
    """
    digest = hashlib.sha256(place.token.encode()).hexdigest()
    here = place.http.partition("//")[2]
    settings = {
        "GOOGLE_CLOUD_PROJECT": place.project,
        "MEMEX_LOCATION": place.location,
        "FIRESTORE_EMULATOR_HOST": place.grpc,
        "PUBSUB_EMULATOR_HOST": place.grpc,
        "WORKFLOWS_ENDPOINT": place.grpc,
        "FUNCTION_URL": place.function_url,
        "FUNCTION_CALLERS": _callers(manifest, place.project),
        "RESEARCH_POLL_MIN_SECONDS": "0.5",
        "LAUNCH_LEASE_SECONDS": "5",
        "CHAT_LEASE_SECONDS": "5",
        "RUN_LEASE_SECONDS": "5",
        "ALLOW_AGENT_RUNS": "on",
        "ID_TOKEN_KEYS_URL": f"{place.http}/_iam/jwks.json",
        "MCP_HOSTS": f"{here},localhost:{here.rpartition(':')[2]}",
        "EMULATED_WEB": place.web,
        "SESSIONS_BASE_URL": place.http,
        "SESSIONS_ENGINE": EMULATED_ENGINE,
        "REDIRECT_HOSTS": f"vertexaisearch.cloud.google.com,{here}",
        **_research(place, {**ours, **wanted}),
        **_models(place, ours, wanted),
    }
    tokens = ";".join(filter(None, (wanted.get("API_TOKENS"), f"{digest}={place.workspace}")))
    return {**settings, **wanted, "API_TOKENS": tokens}


def process_environment(ours: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a host process."""
    return {**{name: ours[name] for name in INHERITED if name in ours}, **settings}


def workflow_environment(env: Mapping[str, str], place: Place) -> dict[str, str]:
    """A workflow's variables, with function:{name} as that function's address."""
    return {name: _resolved(value, place) for name, value in env.items()}


def _resolved(value: str, place: Place) -> str:
    kind, separator, name = value.partition(":")
    return place.function_url.replace("{name}", name) if separator and kind == "function" else value


def _models(place: Place, ours: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Where the models are: as wanted, else by the key. MODEL_API_KEY=local means the emulated one whatever the key."""
    elsewhere = wanted.get("MODEL_PRESET") or wanted.get("MODEL_BACKEND", "gemini") not in ("", "gemini")
    if elsewhere:
        return {}
    key = wanted.get("MODEL_API_KEY") or {**ours, **wanted}.get("GEMINI_API_KEY", "")
    if key not in ("", EMULATED_KEY):
        return {"MODEL_BASE_URL": ""}
    # The emulated model follows rules of its own, which know nothing of memory: the brain has better ones.
    return {"MODEL_BASE_URL": place.http, "BRAIN_MODELS": "rules"}


def _research(place: Place, environment: Mapping[str, str]) -> dict[str, str]:
    """With a key the real service, which then has its own address; without one the emulated model, and that is said."""
    key = environment.get("GEMINI_API_KEY", "")
    if key and key != EMULATED_KEY:
        return {"GEMINI_API_KEY": key, "RESEARCH_BASE_URL": ""}
    return {"GEMINI_API_KEY": EMULATED_KEY, "RESEARCH_BASE_URL": place.http}


def _callers(manifest: Manifest, project: str) -> str:
    rows = [row for row in manifest.functions if row.callers]
    return ";".join(
        f"{row.name}={','.join(account_address(caller, project) for caller in row.callers)}" for row in rows
    )
