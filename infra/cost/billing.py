"""From what was measured of a scenario to what production would bill: amounts by unit, priced, free tier apart.

Counts are those of the local cloud. The time of a request cannot be: it is what the functions took on a measured
machine, the cloud's own waits (a model that thinks, a stream that is open), and a round trip for each service asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.front.proxy import BILLED_STEP_SECONDS, memory_gib
from infra.local.prices import FREE, PRICES
from shared.contracts.manifest import FunctionRow, Manifest

Unit = tuple[str, str]
Measured = Mapping[str, Any]

ROUND_TRIP_SECONDS = 0.010
"""Of a call from a function to Firestore or Pub/Sub in its region. An assumption."""
LOG_BYTES = 2_000
"""Cloud Run's own line for each request, and one of ours. An assumption."""
SECRETS = frozenset({"API_TOKENS", "GEMINI_API_KEY"})
"""Those that a deployment gives by default; each is read when an instance starts."""
UNTIMED = 0.1
MODELS = "aiplatform"


@dataclass(frozen=True)
class Machine:
    """How long functions take: `own_seconds` by kind of request, `load_seconds` of a cold start by function."""

    as_of: str
    own_seconds: Mapping[str, float]
    load_seconds: Mapping[str, float]

    def own(self, kind: str) -> float:
        """The kind's own; UNTIMED for one that was never timed."""
        return self.own_seconds.get(kind, UNTIMED)

    def load(self, function: str) -> float:
        return self.load_seconds.get(function, max(self.load_seconds.values()))


def function_of(kind: str) -> str:
    return kind.partition("/")[0].partition(" ")[0]


def request_seconds(kind: str, row: Mapping[str, float], machine: Machine) -> float:
    """Billed seconds of one request of a kind, at the mean of the kind, in steps of 100 ms."""
    services = row["round_trips"] / row["count"] * ROUND_TRIP_SECONDS
    return _stepped(machine.own(kind) + services + row["waited"] / row["count"])


def _stepped(seconds: float) -> float:
    return math.ceil(round(seconds / BILLED_STEP_SECONDS, 6)) * BILLED_STEP_SECONDS


def amounts(measured: Measured, manifest: Manifest, machine: Machine) -> Counter[Unit]:
    """Every billable unit of a scenario, but what it leaves stored."""
    found: Counter[Unit] = Counter()
    for name, amount in measured["units"].items():
        service, _, unit = name.partition(".")
        if unit != "stored_bytes":
            found[service, unit] += amount
    for kind, row in measured["requests"].items():
        _add_requests(found, manifest.function(function_of(kind)), kind, row, machine)
    return found


def _add_requests(
    found: Counter[Unit], function: FunctionRow, kind: str, row: Mapping[str, float], machine: Machine
) -> None:
    seconds = row["count"] * request_seconds(kind, row, machine) + row["cold"] * _stepped(machine.load(function.name))
    found["functions", "invocations"] += row["count"]  # type: ignore[assignment]
    found["functions", "vcpu_seconds"] += seconds * function.cpu  # type: ignore[assignment]
    found["functions", "gib_seconds"] += seconds * memory_gib(function.memory)  # type: ignore[assignment]
    found["secretmanager", "accesses"] += row["cold"] * len(SECRETS & set(function.secrets))  # type: ignore[assignment]
    found["logging", "bytes"] += row["count"] * LOG_BYTES  # type: ignore[assignment]
    if function.name == "on-trace-archive":
        found["storage", "changes"] += row["count"]  # type: ignore[assignment]


def stored(measured: Measured) -> Mapping[Unit, float]:
    """What a scenario leaves in the database (documents, without their indexes) and in object storage, in bytes."""
    units = measured["units"]
    return {
        ("firestore", "stored_byte_months"): units.get("firestore.stored_bytes", 0),
        ("storage", "stored_byte_months"): units.get("storage.stored_bytes", 0),
    }


def priced(found: Mapping[Unit, float]) -> dict[Unit, float]:
    """List price by unit, in USD."""
    return {unit: PRICES[unit].of(amount) for unit, amount in found.items()}


def after_free(found: Mapping[Unit, float]) -> dict[Unit, float]:
    """What remains of a month's price after its free tier, in USD by unit."""
    return {unit: PRICES[unit].of(max(0.0, amount - FREE.get(unit, 0.0))) for unit, amount in found.items()}


def platform(costs: Mapping[Unit, float]) -> float:
    """All but the models, in USD."""
    return sum(usd for (service, _), usd in costs.items() if service != MODELS)


def models(costs: Mapping[Unit, float]) -> float:
    """Tokens and searches, in USD."""
    return sum(usd for (service, _), usd in costs.items() if service == MODELS)


def of_service(costs: Mapping[Unit, float], *services: str) -> float:
    return sum(usd for (service, _), usd in costs.items() if service in services)
