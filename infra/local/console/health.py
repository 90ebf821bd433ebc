"""Whether everything is well: addresses, the functions and their host, where the data is."""

from __future__ import annotations

from typing import Any

from infra.local.environment import Place
from infra.local.functions import health
from infra.local.functions.inline import InlineHost
from infra.local.functions.supervisor import HostProcess

Host = HostProcess | InlineHost


def health_of(place: Place, data: str, host: Host | None) -> dict[str, Any]:
    """Addresses, the functions and their host, where the data is; "degraded" while a function is not ready."""
    functions = health.states(host.socket_path) if host is not None else {}
    well = host is None or (bool(functions) and all(state == "ready" for state in functions.values()))
    return {
        "status": "ok" if well else "degraded",
        "addresses": {"http": place.http, "grpc": place.grpc},
        "data": data,
        "functions": functions,
        "host": {"pid": host.pid, "restarts": host.restarts} if host is not None else None,
    }
