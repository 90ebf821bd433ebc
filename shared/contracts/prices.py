"""What a model's tokens and searches cost: the one dated table, from which the local cloud and the page have theirs.

As of 2026-11-30, USD, list price for prompts of up to 200,000 tokens. A model that is not in the table counts as the
dearest one. Free tiers are not taken off. A source in [brackets] was not confirmed on the day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shared.contracts.operations import Usage

AS_OF = "2026-11-30"
SOURCE = "[ai.google.dev/gemini-api/docs/pricing, Pro model]"


class Price(NamedTuple):
    """USD for a million tokens."""

    input: float
    output: float


DEAREST = Price(2.0, 12.0)
MODELS: Mapping[str, Price] = {
    "gemini-3.8-flash": Price(0.75, 3.75),  # until 2026-12-31, then twice that
    "gemini-3.5-flash": Price(1.5, 9.0),
    "gemini-3.5-flash-lite": Price(0.3, 2.5),
    "gemini-2.5-pro": Price(1.25, 10.0),
    "gemini-2.5-flash": Price(0.3, 2.5),
    "gemini-2.5-flash-lite": Price(0.1, 0.4),
}
"""By the beginning of a model's name. [ai.google.dev/gemini-api/docs/pricing, as read on 2026-10-07]"""

SEARCH_USD_PER_THOUSAND = 14.0

RESEARCH_MOST_USD = 7.0
"""What a Deep Research run costs at most, by Google's own account; that is set aside before one is begun."""

PLAN_MOST_USD = 0.5
"""What planning a run is taken to cost at most. [no figure is published; a plan is one answer of the model]"""
RESEARCH_USD: Mapping[str, tuple[float, float]] = {"deep-research-max": (3.0, 7.0), "deep-research": (1.0, 3.0)}
"""What most runs cost, by the beginning of the agent's name, by Google's own account (as read on 2026-11-30)."""
RESEARCH_MINUTES = (5.0, 20.0)
"""How long most runs take; the longest 60 minutes."""


def price_of(model: str) -> Price:
    """Of the model that the longest beginning of the name tells; the dearest one's where none does."""
    known = [name for name in MODELS if model.rpartition("/")[2].startswith(name)]
    return MODELS[max(known, key=len)] if known else DEAREST


def priced(usage: Usage, model: str) -> Usage:
    """The same usage, as that of a model by whom it was answered."""
    price = price_of(model)
    less = input_tokens(usage) * (DEAREST.input - price.input) + output_tokens(usage) * (DEAREST.output - price.output)
    return usage.model_copy(update={"discount_micros": round(less)})


def input_tokens(usage: Usage) -> int:
    """What is billed as input: what was sent, and what tools brought in."""
    return usage.input_tokens + usage.tool_use_tokens


def output_tokens(usage: Usage) -> int:
    """What is billed as output: what was said, and what was thought."""
    return usage.output_tokens + usage.thought_tokens


def usd_of(usage: Usage) -> float:
    """The list price of so many tokens and searches, in USD, by the models that answered where they are known."""
    tokens = input_tokens(usage) * DEAREST.input + output_tokens(usage) * DEAREST.output
    return max(0.0, tokens - usage.discount_micros) / 1_000_000 + usage.searches * SEARCH_USD_PER_THOUSAND / 1000
