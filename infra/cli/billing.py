"""The bill as a table by service."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.terminal import one_line, styled, table


def show_bill(bill: dict[str, Any]) -> None:
    """Print what was counted and its price, service by service, and the sum; every price in USD."""
    rows: list[tuple[str, str, str, str]] = []
    for service, usd in bill["services"].items():
        units = [row for row in bill["rows"] if row["service"] == service]
        for number, row in enumerate(units):
            price = _money(row["usd"]) if row["priced"] else "no price known"
            unit = one_line(str(row["unit"])).replace("_", " ")
            rows.append((one_line(service) if number == 0 else "", _amount(row["amount"]), unit, price))
        if len(units) > 1:
            rows.append(("", "", "", styled(f"{_money(usd)} together", bold=True)))
    table(rows, ("service", "amount", "unit", "USD in production"))
    total = styled(f"{_money(bill['total_usd'])} USD", bold=True)
    click.echo(f"\n{total} in all. List prices of {one_line(bill['as_of'])}, {one_line(bill['region'])}; no free tier.")


def _money(usd: float) -> str:
    return f"{usd:.2f}" if usd >= 1 else f"{usd:.6f}"


def _amount(amount: float) -> str:
    return f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.3f}"
