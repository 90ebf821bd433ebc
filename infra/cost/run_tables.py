"""What single runs cost: all of them in one table, and research next to other ways of waiting."""

from __future__ import annotations

from collections.abc import Mapping

from infra.cost import alternatives, billing
from infra.cost.book import Book
from infra.cost.markdown import number, table, usd
from infra.cost.scenarios import MINUTES
from shared.contracts.prices import RESEARCH_USD

AGENTS = {5: "deep-research", 30: "deep-research", 120: "deep-research-max"}
GOOGLE = {minutes: "{:g}–{:g}".format(*RESEARCH_USD[agent]) for minutes, agent in AGENTS.items()}
"""USD of tokens and searches of a research run, by Google's account; two hours are the thorough agent's."""
NAMES = {
    **{f"research-{minutes}": f"research, {minutes} minutes" for minutes in MINUTES},
    **{f"research-{minutes}-early-wake": f"research, {minutes} minutes, early wake" for minutes in MINUTES},
    "research-5-watched": "research, 5 minutes, page open on it",
    "chat-turn": "a chat turn with a tool call",
    "agent-run": "an agent run of five steps",
    "brain-day": "a day: 10 notes, 10 turns, the brain, the night",
    "idle-month": "an idle month",
}


def summary(book: Book) -> str:
    """What each scenario costs."""
    rows = []
    for name, text in NAMES.items():
        minutes = int(name.split("-")[1]) if name.startswith("research") else 0
        models = GOOGLE[minutes] if minutes else usd(book.models(name))
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
    for name, text in NAMES.items():
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
        for name, text in NAMES.items()
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
