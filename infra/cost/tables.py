"""The tables of docs/cost.md by their names, and the lists that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from infra.cost import billing
from infra.cost.book import Book
from infra.cost.markdown import number, table
from infra.cost.month_tables import idle, idle_rest, month, person, ready, sweep
from infra.cost.run_tables import NAMES, breakdown, others, polls, services, standing, summary, wake
from infra.local.prices import AS_OF, FREE, PRICES, Price


def seconds(book: Book) -> str:
    """How long requests take, as measured."""
    found: dict[str, tuple[float, int]] = {}
    for name in NAMES:
        for kind, row in book.figures[name]["requests"].items():
            total, count = found.get(kind, (0.0, 0))
            billed = billing.request_seconds(kind, row, book.machine) * row["count"]
            found[kind] = total + billed, count + int(row["count"])
    rows = [
        (f"`{kind}`", f"{book.machine.own(kind) * 1000:.0f}", f"{total / count:.2f}")
        for kind, (total, count) in sorted(found.items())
    ]
    return table((f"request ({book.machine.as_of})", "own time, ms", "billed, s"), rows)


def price_list(_book: Book) -> str:
    """The table of prices, with what is free each month."""
    rows = []
    for unit, price in PRICES.items():
        if unit[0] != billing.MODELS and price.usd:
            rows.append((f"{unit[0]}: {unit[1].replace('_', ' ')}", *_shown(unit, price)))
    return table((f"prices of {AS_OF}, us-central1", "USD", "for", "free a month"), rows)


def _shown(unit: tuple[str, str], price: Price) -> tuple[str, str, str]:
    """USD, for how many, and how many are free; of bytes in GiB and TiB."""
    free, sizes = FREE.get(unit, 0.0), {2.0**30: "GiB", 2.0**40: "TiB"}
    dollars = f"{price.usd:.7f}".rstrip("0").rstrip(".")
    if price.per in sizes:
        return dollars, f"1 {sizes[price.per]}", f"{number(free / 2.0**30)} GiB" if free else ""
    return dollars, number(price.per), number(free) if free else ""


TABLES: Mapping[str, Callable[[Book], str]] = {
    "summary": summary,
    "breakdown": breakdown,
    "services": services,
    "wake": wake,
    "others": others,
    "standing": standing,
    "polls": polls,
    "idle": idle,
    "idle-rest": idle_rest,
    "ready": ready,
    "sweep": sweep,
    "month": month,
    "person": person,
    "seconds": seconds,
    "prices": price_list,
}
