"""What a model's tokens and searches cost: the one dated table, from which the local cloud and the page have theirs.

As of 2026-11-30, USD, list price of the Pro model, whichever model has answered. Free tiers are not taken off. A source
in [brackets] was not confirmed on the day.
"""

from __future__ import annotations

from shared.contracts.operations import Usage

AS_OF = "2026-11-30"
SOURCE = "[ai.google.dev/gemini-api/docs/pricing, Pro model]"

INPUT_USD_PER_MILLION = 2.0
OUTPUT_USD_PER_MILLION = 12.0
SEARCH_USD_PER_THOUSAND = 14.0

RESEARCH_MOST_USD = 7.0
"""What a Deep Research run costs at most, by Google's own account; that is set aside before one is begun."""


def input_tokens(usage: Usage) -> int:
    """What is billed as input: what was sent, and what tools brought in."""
    return usage.input_tokens + usage.tool_use_tokens


def output_tokens(usage: Usage) -> int:
    """What is billed as output: what was said, and what was thought."""
    return usage.output_tokens + usage.thought_tokens


def usd_of(usage: Usage) -> float:
    """The list price of so many tokens and searches, in USD."""
    tokens = input_tokens(usage) * INPUT_USD_PER_MILLION + output_tokens(usage) * OUTPUT_USD_PER_MILLION
    return tokens / 1_000_000 + usage.searches * SEARCH_USD_PER_THOUSAND / 1000
