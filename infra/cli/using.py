"""A month's usage as a table by kind of work, and a bar for each quota."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.terminal import one_line, styled, table

_BAR = 24
_WARNED_SHARE = 0.8
_NAMES = {"usd": "USD"}


def show_usage(usage: dict[str, Any]) -> None:
    """Print what was used, what is left of the quotas, and what is warned of."""
    month, plan = one_line(usage["month"]), one_line(usage["plan"])
    click.echo(f"{styled(month, bold=True)}  plan {plan}, until {one_line(usage['renews_at'])[:10]} (UTC)\n")
    rows = [(one_line(kind), *_row(used)) for kind, used in usage["by_kind"].items() if used["count"]]
    if len(rows) != 1:
        rows.append(("in all", *_row(usage["totals"])))
    table(rows, ("work", "count", "tokens in", "tokens out", "searches", "USD"))
    quotas = [_quota(name, state) for name, state in usage["states"].items() if state["limit"] is not None]
    if quotas:
        click.echo()
        table(quotas, ("quota", "", "used", "set aside", "left", "of"))
    for warning in usage["warnings"]:
        click.echo(styled(one_line(warning), fg="yellow"), err=True)
    click.echo(f"\nList prices of {one_line(usage['prices_as_of'])}.")


def _row(used: dict[str, Any]) -> tuple[str, ...]:
    counts = (used["count"], used["input_tokens"], used["output_tokens"], used["searches"])
    return (*(f"{count:,}" for count in counts), f"{used['usd']:.4f}")


def _quota(name: str, state: dict[str, Any]) -> tuple[str, ...]:
    amounts = (state["used"], state["reserved"], state["left"], state["limit"])
    return (_NAMES.get(name, one_line(name)), _bar(state), *(_amount(name, amount) for amount in amounts))


def _amount(name: str, amount: float) -> str:
    return f"{amount:,.2f}" if name == "usd" else f"{amount:,.0f}"


def _bar(state: dict[str, Any]) -> str:
    """Used is full, set aside is shaded, the rest is empty."""
    used = _cells(state["used"], state["limit"])
    held = max(_cells(state["used"] + state["reserved"], state["limit"]) - used, 0)
    colour = "yellow" if state["share"] >= _WARNED_SHARE else "green"
    filled = styled("█" * used + "▒" * held, fg=colour)
    return f"{filled}{'░' * (_BAR - used - held)} {state['share']:4.0%}"


def _cells(amount: float, limit: float) -> int:
    return min(round(_BAR * amount / limit), _BAR) if limit else _BAR
