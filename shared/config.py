"""The settings: read once from the environment, by this module alone, into one frozen object."""

from __future__ import annotations

import os
import re
import textwrap
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from shared.contracts.grants import Grant
from shared.errors import SettingsError
from shared.settings.chat import ChatSettings
from shared.settings.documents import DocumentsSettings
from shared.settings.identity import IdentitySettings
from shared.settings.models import ModelsSettings
from shared.settings.place import PlaceSettings
from shared.settings.research import ResearchSettings
from shared.settings.runs import RunsSettings
from shared.settings.sessions import SessionsSettings
from shared.settings.telemetry import TelemetrySettings
from shared.settings.web import WebSettings

_CREDENTIAL = re.compile(r".*(key|secret|token|password|credential|auth|cookie).*", re.IGNORECASE)
_FOR_HELPERS = ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT")


@dataclass(frozen=True)
class Settings(
    TelemetrySettings,
    SessionsSettings,
    DocumentsSettings,
    WebSettings,
    RunsSettings,
    ChatSettings,
    ModelsSettings,
    ResearchSettings,
    IdentitySettings,
    PlaceSettings,
):
    """Every setting of the deployed functions. `python -m shared.config` prints them as documentation."""

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
