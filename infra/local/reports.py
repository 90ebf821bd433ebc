"""What /_cloud shows: reports by name, each a function that makes JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from infra.local.environment import Place
from infra.local.functions import health
from infra.local.functions.inline import InlineHost
from infra.local.functions.supervisor import HostProcess
from infra.local.services import Services
from infra.local.triggers import Triggers
from shared.contracts.manifest import Manifest

NEWEST = 50
Report = Callable[[], dict[str, Any]]
Host = HostProcess | InlineHost


def reports_of(place: Place, manifest: Manifest, services: Services, triggers: Triggers) -> dict[str, Report]:
    """The reports of the parts."""
    eventarc, scheduler = triggers.eventarc, triggers.scheduler
    return {
        "deliveries": lambda: {"counts": eventarc.counts(), "newest": eventarc.deliveries(NEWEST)},
        "topics": lambda: {"backlog": services.pubsub.backlog()},
        "executions": lambda: {row.name: _executions(services, place, row.name) for row in manifest.workflows},
        "scheduler": lambda: {name: asdict(run) for name, run in scheduler.last.items()},
    }


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


def _executions(services: Services, place: Place, workflow: str) -> list[dict[str, Any]]:
    """The newest executions of a workflow and the step each is in."""
    from google.cloud.workflows.executions_v1.types.executions import Execution

    from infra.local.workflows.api import Listing

    parent = f"projects/{place.project}/locations/{place.location}/workflows/{workflow}"
    found, _ = services.workflows.api.executions(parent, Listing(page_size=NEWEST, full=True))
    return [
        {
            "id": execution.name.rpartition("/")[2],
            "state": Execution.State(execution.state).name,
            "started_at": execution.start_time.ToJsonString(),
            "steps": ", ".join(f"{step.routine}.{step.step}" for step in execution.status.current_steps),
        }
        for execution in found
    ]
