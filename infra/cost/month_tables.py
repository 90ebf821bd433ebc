"""What months cost: of nobody, and of one person."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from infra.cost import billing
from infra.cost.book import TYPICAL, Book, share_of_free
from infra.cost.markdown import number, table, usd
from infra.cost.run_tables import GOOGLE, NAMES
from infra.cost.scenarios import MINUTES
from infra.local.prices import PRICES


def idle(book: Book) -> str:
    """What is called in an idle month, and what it takes."""
    figures = book.figures["idle-month"]["requests"]
    rows = []
    for kind, row in figures.items():
        one = {"units": {"firestore.document_reads": row["reads"]}, "requests": {kind: row}}
        costs = billing.priced(billing.amounts(one, book.manifest, book.machine))
        seconds = billing.request_seconds(kind, row, book.machine)
        rows.append(
            (f"`{kind}`", number(row["count"]), number(row["reads"]), f"{seconds:.1f}", usd(sum(costs.values())))
        )
    found = book.amounts("idle-month")
    everything = number(found["functions", "invocations"]), number(found["firestore", "document_reads"])
    rows.append(("all of it", *everything, "", usd(book.platform("idle-month"))))
    return table(("30 days", "calls", "documents read", "s a call", "USD, list price"), rows)


def idle_rest(book: Book) -> str:
    """What of an idle month remains to be paid, and how near it comes to the free tier."""
    found = book.amounts("idle-month")
    remains = sum(billing.after_free(found).values())
    used = {
        "reads": ("firestore", "document_reads"),
        "vCPU-seconds": ("functions", "vcpu_seconds"),
        "requests": ("functions", "invocations"),
    }
    shares = ", ".join(f"{share_of_free(found, unit) * 100:.1f} % of the {name}" for name, unit in used.items())
    models = book.models("idle-month")
    return (
        f"After the free tier {usd(remains)} USD of this remain: it uses {shares} that are free each month. "
        f"Models: {usd(models)} USD."
    )


def ready(book: Book) -> str:
    """What is paid for being there."""
    found = book.ready()
    listed, left = billing.priced(found), billing.after_free(found)
    names = {
        "scheduler": "jobs of the scheduler",
        "secretmanager": "versions of secrets",
        "registry": "images of the functions, GB (an estimate)",
    }
    rows: list[tuple[str, ...]] = []
    for unit, amount in found.items():
        shown = f"{amount / 1e9:.1f}" if unit[0] == "registry" else number(amount)
        rows.append((names[unit[0]], shown, usd(listed[unit]), usd(left[unit])))
    conditions = PRICES["monitoring", "condition_months"].of(book.alerts)
    rows.append(("conditions of alerts, if they are charged", str(book.alerts), usd(conditions), usd(conditions)))
    return table(("there all month", "number", "USD a month, list", "after the free tier"), rows)


def sweep(book: Book) -> str:
    """A day of a workspace with a thousand notes, before and after the sweep learnt to rest."""
    rows = []
    for name, text in (
        ("idle-day-1000-unrested", "walks over all notes every five minutes (before)"),
        ("idle-day-1000", "walks over all notes once an hour (now)"),
    ):
        found, month = book.amounts(name), book.amounts(name)
        for unit in month:
            month[unit] *= 30
        listed = billing.platform(billing.priced(month))
        reads = number(found["firestore", "document_reads"])
        rows.append((text, reads, usd(listed), usd(billing.platform(billing.after_free(month)))))
    return table(("1,000 notes, nobody there", "reads a day", "USD a month, list", "after the free tier"), rows)


def month(book: Book) -> str:
    """A month of a typical person."""
    found, kept = book.month(), book.stored()
    lines: Mapping[str, Callable[[Mapping[tuple[str, str], float]], float]] = {
        "functions": lambda costs: billing.of_service(costs, "functions"),
        "Firestore, reads and writes": lambda costs: billing.of_service(costs, "firestore"),
        "Workflows": lambda costs: billing.of_service(costs, "workflows"),
        "Pub/Sub, logs, secrets, jobs, traffic, images": lambda costs: billing.of_service(
            costs, "pubsub", "logging", "secretmanager", "scheduler", "network", "storage", "registry", "eventarc"
        ),
    }
    listed, left = billing.priced(found), billing.after_free(found)
    rows: list[tuple[str, ...]] = [(text, usd(of(listed)), usd(of(left))) for text, of in lines.items()]
    stored = sum(billing.priced(kept).values()), sum(billing.after_free(kept).values())
    rows.append(("storage after a year, backups included", *map(usd, stored)))
    rows.append(("platform", *map(usd, (billing.platform(listed) + stored[0], billing.platform(left) + stored[1]))))
    chats = sum(book.models(name) * times for name, times in TYPICAL.items() if not name.startswith("research"))
    rows.append(("models: chat, agents, brain, summaries", usd(chats), usd(chats)))
    runs = {minutes: sum(n for name, n in TYPICAL.items() if _is_research(name, minutes)) for minutes in MINUTES}
    ranges = [[float(part) * runs[minutes] for part in GOOGLE[minutes].split("–")] for minutes in MINUTES]
    research = f"{sum(low for low, _ in ranges):.0f}–{sum(high for _, high in ranges):.0f}"
    rows.append((f"models: {sum(runs.values())} research runs, by Google's account", research, research))
    return table(("USD a month", "list price", "after the free tier"), rows)


def _is_research(name: str, minutes: int) -> bool:
    return name.startswith(f"research-{minutes}") and name.split("-")[1] == str(minutes)


def person(_book: Book) -> str:
    """What a typical month is."""
    return "\n".join(f"* {times} × {NAMES[name]}" for name, times in TYPICAL.items())
