"""The same work done in other ways, computed from the same figures and prices."""

from __future__ import annotations

from dataclasses import dataclass

from infra.cost.book import Book, price

FIXED_SECONDS = 30
MONTH_SECONDS = 30 * 86_400
VCPUS, GIB = 1.0, 0.5
"""Of a container that is always on."""


@dataclass(frozen=True)
class AlwaysOn:
    """A way to have something run all month; `usd` is its list price."""

    what: str
    formula: str
    usd: float


def task_queue(book: Book, name: str) -> float:
    """USD of a research run whose polls each put the next one into a Cloud Tasks queue, at the same cadence."""
    polls = book.polls(name)
    without = book.platform(name) - polls * book.steps_a_poll * price("workflows", "internal_steps")
    return without + polls * 2 * price("tasks", "operations")


def fixed_poll(book: Book, name: str, minutes: int) -> float:
    """USD of a research run that the workflow polls every 30 seconds."""
    more = minutes * 60 / FIXED_SECONDS - book.polls(name)
    return book.platform(name) + more * (book.poll_usd + book.steps_a_poll * price("workflows", "internal_steps"))


def always_on() -> tuple[AlwaysOn, ...]:
    """What waits all month for work to come."""
    vcpu, gib = price("functions", "always_on_vcpu_seconds"), price("functions", "always_on_gib_seconds")
    idle_vcpu, idle_gib = price("functions", "idle_vcpu_seconds"), price("functions", "idle_gib_seconds")
    return (
        AlwaysOn(
            "Cloud Run, instance-based billing, one instance",
            f"{MONTH_SECONDS:,} s × ({VCPUS:g} × {_digits(vcpu)} + {GIB:g} × {_digits(gib)})",
            MONTH_SECONDS * (VCPUS * vcpu + GIB * gib),
        ),
        AlwaysOn(
            "Cloud Run, one minimum instance that only waits",
            f"{MONTH_SECONDS:,} s × ({VCPUS:g} × {_digits(idle_vcpu)} + {GIB:g} × {_digits(idle_gib)}), "
            "and requests as now",
            MONTH_SECONDS * (VCPUS * idle_vcpu + GIB * idle_gib),
        ),
        AlwaysOn("a virtual machine, e2-small, 10 GB", "12.23 + 10 × 0.04", price("compute", "small_machine_months")),
    )


def _digits(usd: float) -> str:
    """A price by the second, without an exponent."""
    return f"{usd:.9f}".rstrip("0")
