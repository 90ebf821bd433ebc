"""What `memex up` says when everything is ready."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from infra.cli.address import Address
from infra.cli.terminal import styled, wrapped


@dataclass(frozen=True)
class Greeting:
    """Who writes the reports, whether that finds its credentials, and who answers in the chat."""

    emulated: bool
    logged_in: bool = True
    models: str = ""


def greet(address: Address, data: Path | None, about: Greeting) -> None:
    """Print where everything is, who writes the reports, what that still lacks, and how to go on."""
    click.echo(f"{styled('Memex is running', bold=True)} at {styled(address.http, fg='cyan')}")
    click.echo(f"  page     {address.http}/")
    click.echo(f"  API      {address.http}/api/v1")
    click.echo(f"  OpenAPI  {address.http}/api/v1/openapi.json")
    click.echo(f"  MCP      {address.http}/mcp")
    click.echo(f"  console  {address.http}/_cloud")
    click.echo(f"  gRPC     {address.grpc}")
    click.echo(f"  token    {address.token}")
    click.echo(f"  data     {data.resolve() if data else 'kept nowhere'}")
    if about.models:
        click.echo(f"  chat     {about.models}")
    click.echo()
    click.echo(wrapped(_EMULATED if about.emulated else _REAL))
    if not about.logged_in:
        click.echo(wrapped(_LOGIN))
    if data is None:
        click.echo("\nFor the other commands:")
        click.echo(f"  export MEMEX_URL={address.http} MEMEX_TOKEN={address.token} MEMEX_GRPC={address.grpc}")
    click.echo("\nctrl-C stops it.")


def is_emulated(settings: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether these settings leave the research to the emulated model: no key of Google's, and not Vertex."""
    key = settings.get("GEMINI_API_KEY") or environment.get("GEMINI_API_KEY") or ""
    elsewhere = settings.get("RESEARCH_BACKEND") == "vertex" or "RESEARCH_BASE_URL" in settings
    return not elsewhere and key in ("", "local")


def is_logged_in(settings: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether the research finds the credentials it needs: False where Vertex is asked for and no file has any."""
    backend = settings.get("RESEARCH_BACKEND") or environment.get("RESEARCH_BACKEND")
    if backend != "vertex" or environment.get("GOOGLE_APPLICATION_CREDENTIALS"):
        return True
    folder = (
        environment.get("CLOUDSDK_CONFIG") or Path(environment.get("HOME", "~")).expanduser() / ".config" / "gcloud"
    )
    return Path(folder, "application_default_credentials.json").is_file()


_EMULATED = (
    "The research model is emulated: it writes from your other notes alone, so give it some first "
    "(memex note samples puts twenty in). The real one: start with GEMINI_API_KEY=…"
)
_REAL = "The research model is the real one: a run takes 5 to 60 minutes and costs 1 to 7 USD."
_LOGIN = (
    "There is no file with application-default credentials: unless this machine has an account of its own, research "
    "waits until you have run gcloud auth application-default login."
)
