"""The tables of docs/cost.md, from the kept figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from infra.cost import alternatives, billing
from infra.cost.book import TYPICAL, Book, share_of_free
from infra.cost.scenarios import MINUTES
from infra.local.prices import AS_OF, FREE, PRICES

_GOOGLE = {5: "1–3", 30: "1–3", 120: "3–7"}
"""USD of tokens and searches of a Deep Research run, by Google's account of its two agents."""
_NAMES = {
    **{f"research-{minutes}": f"research, {minutes} minutes" for minutes in MINUTES},
    **{f"research-{minutes}-early-wake": f"research, {minutes} minutes, early wake" for minutes in MINUTES},
    "research-5-watched": "research, 5 minutes, page open on it",
    "chat-turn": "a chat turn with a tool call",
    "agent-run": "an agent run of five steps",
    "brain-day": "a day: 10 notes, 10 turns, the brain, the night",
    "idle-month": "an idle month",
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; columns after the first are numbers."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def usd(amount: float) -> str:
    """To the cent, or to two digits below it; nothing is "0"."""
    if abs(amount) < 5e-7:
        return "0"
    return f"{amount:.2f}" if abs(amount) >= 0.1 else f"{amount:.4f}" if abs(amount) >= 0.001 else f"{amount:.5f}"


def number(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= 100 or amount == int(amount) else f"{amount:.1f}"


def summary(book: Book) -> str:
    """What each scenario costs."""
    rows = []
    for name, text in _NAMES.items():
        minutes = int(name.split("-")[1]) if name.startswith("research") else 0
        models = _GOOGLE[minutes] if minutes else usd(book.models(name))
        rows.append((text, usd(book.platform(name)), models))
    return table(("USD, list price", "platform", "models"), rows)


def breakdown(book: Book) -> str:
    """What each scenario uses."""
    columns: Mapping[str, tuple[str, str]] = {
        "reads": ("firestore", "document_reads"),
        "writes": ("firestore", "document_writes"),
        "deletes": ("firestore", "document_deletes"),
        "steps, internal": ("workflows", "internal_steps"),
        "external": ("workflows", "external_steps"),
        "requests": ("functions", "invocations"),
        "vCPU-s": ("functions", "vcpu_seconds"),
        "GiB-s": ("functions", "gib_seconds"),
        "events": ("eventarc", "events"),
        "secrets read": ("secretmanager", "accesses"),
    }
    rows = []
    for name, text in _NAMES.items():
        found = book.amounts(name)
        messages = (found["pubsub", "publish_bytes"] + found["pubsub", "delivery_bytes"]) / 1000
        rows.append((text, *(number(found[unit]) for unit in columns.values()), number(messages)))
    return table(("", *columns, "Pub/Sub, KB"), rows)


def services(book: Book) -> str:
    """Where the platform's money goes."""
    columns = {
        "functions": ("functions",),
        "Firestore": ("firestore",),
        "Workflows": ("workflows",),
        "Pub/Sub": ("pubsub",),
        "the rest": ("secretmanager", "storage", "logging", "network", "eventarc", "scheduler"),
    }
    rows = [
        (text, *(usd(billing.of_service(book.prices(name), *of)) for of in columns.values()), usd(book.platform(name)))
        for name, text in _NAMES.items()
    ]
    return table(("USD, list price", *columns, "all"), rows)


def wake(book: Book) -> str:
    """Polling alone, and with the service's word."""
    rows = []
    for minutes in MINUTES:
        for name, how, late in (
            (f"research-{minutes}", "polling alone", "30 s, 15 on average"),
            (f"research-{minutes}-early-wake", "early wake", "1 or 2 s"),
        ):
            found = book.amounts(name)
            steps = found["workflows", "internal_steps"], found["workflows", "external_steps"]
            shown = (str(book.polls(name)), *map(number, steps), usd(book.platform(name)), late)
            rows.append((f"{minutes} minutes, {how}", *shown))
    return table(("a run of", "polls", "steps, internal", "external", "platform, USD", "report late by"), rows)


def others(book: Book) -> str:
    """The same runs, done otherwise."""
    rows = []
    for minutes in MINUTES:
        name = f"research-{minutes}"
        both = alternatives.task_queue(book, name), alternatives.fixed_poll(book, name, minutes)
        rows.append(
            (f"{minutes} minutes", *map(usd, (book.platform(name), book.platform(f"{name}-early-wake"), *both)))
        )
    return table(("USD a run, list price", "Memex, polling", "early wake", "task queue", "every 30 s"), rows)


def standing(book: Book) -> str:
    """What waits all month."""
    run = book.platform("research-30")
    rows = [(way.what, f"`{way.formula}`", usd(way.usd), number(way.usd / run)) for way in alternatives.always_on()]
    return table(("always on", "formula", "USD a month", "runs of 30 minutes for that"), rows)


def polls(book: Book) -> str:
    """The numbers in the formulae."""
    counted = ", ".join(f"{book.polls(f'research-{minutes}')} in {minutes} minutes" for minutes in MINUTES)
    return f"polls = {counted}; steps a poll = {book.steps_a_poll:.2f}; poll = {book.poll_usd:.7f} USD"


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
    ranges = [[float(part) * runs[minutes] for part in _GOOGLE[minutes].split("–")] for minutes in MINUTES]
    research = f"{sum(low for low, _ in ranges):.0f}–{sum(high for _, high in ranges):.0f}"
    rows.append((f"models: {sum(runs.values())} research runs, by Google's account", research, research))
    return table(("USD a month", "list price", "after the free tier"), rows)


def _is_research(name: str, minutes: int) -> bool:
    return name.startswith(f"research-{minutes}") and name.split("-")[1] == str(minutes)


def person(_book: Book) -> str:
    """What a typical month is."""
    return ", ".join(f"{times} × {_NAMES[name]}" for name, times in TYPICAL.items())


def seconds(book: Book) -> str:
    """How long requests take, as measured."""
    found: dict[str, tuple[float, int]] = {}
    for name in _NAMES:
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
            free = FREE.get(unit)
            rows.append((f"{unit[0]} {unit[1]}", f"{price.usd:g} for {price.per:,.0f}", number(free) if free else ""))
    return table((f"unit (prices of {AS_OF}, us-central1)", "USD", "free a month"), rows)


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
