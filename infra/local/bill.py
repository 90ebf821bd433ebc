"""From what the meter counted to what it would have cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from infra.local.files import read_json, write_json
from infra.local.meter import Meter
from infra.local.prices import AS_OF, PRICES, REGION

Totals = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class Row:
    """One unit of one service; `priced` is False when the table has no price for it, and it then counts as 0."""

    service: str
    unit: str
    amount: float
    usd: float
    priced: bool


@dataclass(frozen=True)
class Bill:
    """Rows by service and unit. Free tiers are not taken off."""

    rows: tuple[Row, ...]
    as_of: str = AS_OF
    region: str = REGION

    @property
    def total_usd(self) -> float:
        return sum(row.usd for row in self.rows)

    def by_service(self) -> dict[str, float]:
        """USD by service."""
        services = sorted({row.service for row in self.rows})
        return {name: sum(row.usd for row in self.rows if row.service == name) for name in services}

    def as_json(self) -> dict[str, Any]:
        """{"rows": [{service, unit, amount, usd, priced}], "services": {…}, "total_usd", "as_of", "region"}."""
        return {
            "rows": [asdict(row) for row in self.rows],
            "services": self.by_service(),
            "total_usd": self.total_usd,
            "as_of": self.as_of,
            "region": self.region,
        }


def bill_of(totals: Totals) -> Bill:
    """The bill for what was counted."""
    return Bill(tuple(_row(service, unit, amount) for (service, unit), amount in sorted(totals.items())))


def load(meter: Meter, path: Path) -> None:
    """Count again what an earlier run has saved."""
    for service, unit, amount in read_json(path) or []:
        meter.add(service, unit, amount)


def save(meter: Meter, path: Path) -> None:
    write_json(path, [[service, unit, amount] for (service, unit), amount in sorted(meter.totals().items())])


def _row(service: str, unit: str, amount: float) -> Row:
    price = PRICES.get((service, unit))
    return Row(service, unit, amount, price.of(amount) if price else 0.0, price is not None)
