"""Writes docs/access.md: every address that can be called, and who may. Part of `make docs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from shared.api.route import Route
from shared.api.table import OPENAPI, PREFIX, ROUTES
from shared.contracts.manifest import FunctionRow, HttpTrigger, Manifest
from shared.contracts.members import Role
from shared.mcp.catalogue import TOOLS

MANIFEST = Path(__file__).resolve().parents[1] / "functions" / "manifest.yaml"
_ROLES = """A reader reads; a member also changes things and spends; an owner also decides about the workspace itself.
Each may what those before may. An operator is in no workspace and sees nothing inside one."""
_SIGNED = {"webhook": "whoever signs as the model service does"}
"""Public functions that ask for no token, and what they check instead."""


def access(origin: str) -> str:
    """The page; `origin` says where it comes from."""
    return "\n".join(_lines(origin)) + "\n"


def _lines(origin: str) -> Iterator[str]:
    yield f"# Who may call what\n\n{origin}\n\n{_ROLES}\n\n## The API\n"
    yield "| method | address | function | least role | |\n|---|---|---|---|---|"
    for route in sorted(ROUTES, key=lambda one: (one.path, one.method)):
        address = f"/{'/'.join(PREFIX)}{route.path}"
        yield f"| {route.method} | `{address}` | {route.function} | {_role(route)} | {_beside(route)} |"
    yield f"| GET | `/{'/'.join(PREFIX)}/{OPENAPI}` | api | anyone | it says what this table says |"
    yield "| GET | `/_health` | each public one | anyone | whether it has what it needs, and not what is wrong |"
    yield "\n## Tools of MCP\n\nBy POST to `/mcp`, of the function mcp, for a reader at least.\n"
    yield "| tool | least role |\n|---|---|"
    yield from (f"| `{name}` | {tool.role} |" for name, tool in sorted(TOOLS.items()))
    yield "\n## Functions\n"
    yield "| function | called by | who may |\n|---|---|---|"
    manifest = Manifest.model_validate(yaml.safe_load(MANIFEST.read_text(encoding="utf-8")))
    yield from (f"| `{row.name}` | {row.trigger.type} | {_who(row)} |" for row in manifest.functions)
    yield (
        "\nA private function is called through IAM, which verifies the token of the account that calls; the function "
        "then checks the account and the address that the token is meant for."
    )


def _role(route: Route) -> str:
    return "whoever has the address" if route.secret_address else str(route.least_role)


def _beside(route: Route) -> str:
    words = (
        "the operator too" if route.operator and route.least_role is not Role.OPERATOR else "",
        "whoever is signed in, in no workspace" if route.anywhere else "",
    )
    return "; ".join(filter(None, words))


def _who(row: FunctionRow) -> str:
    if row.invoker == "private":
        return "the accounts " + ", ".join(f"`{caller}`" for caller in row.callers)
    routes = row.trigger.routes if isinstance(row.trigger, HttpTrigger) else ()
    return _SIGNED.get(row.name, "people with a token, at " + ", ".join(f"`{route}`" for route in routes))
