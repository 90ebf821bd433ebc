"""Tables and numbers as the document writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; columns after the first are numbers."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def usd(amount: float) -> str:
    """To the cent, or to two digits below it; next to nothing is "0"."""
    if abs(amount) < 5e-6:
        return "0"
    return f"{amount:.2f}" if abs(amount) >= 0.1 else f"{amount:.4f}" if abs(amount) >= 0.001 else f"{amount:.5f}"


def number(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= 100 or amount == int(amount) else f"{amount:.1f}"
