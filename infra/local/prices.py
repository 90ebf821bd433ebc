"""What a billable unit costs in production: one dated table; what models cost it has from the product's own.

As of the product's date, us-central1, USD, list price. Free tiers are not taken off, and storage, traffic out of the
region and idle instances are not counted. A source in [brackets] was not confirmed on the day.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts import prices

AS_OF = prices.AS_OF
REGION = "us-central1"


@dataclass(frozen=True)
class Price:
    """`usd` for `per` units."""

    usd: float
    per: float
    source: str

    def of(self, amount: float) -> float:
        """The price of so many units."""
        return amount * self.usd / self.per


_FIRESTORE = "firebase.google.com/docs/firestore/pricing"
_RUN = "[cloud.google.com/run/pricing, request-based billing]"
_PUBSUB = "[cloud.google.com/pubsub/pricing, per TiB]"
_WORKFLOWS = "[cloud.google.com/workflows/pricing]"
_TIB = 2.0**40

PRICES: dict[tuple[str, str], Price] = {
    ("firestore", "document_reads"): Price(0.03, 100_000, _FIRESTORE),
    ("firestore", "document_writes"): Price(0.09, 100_000, _FIRESTORE),
    ("firestore", "document_deletes"): Price(0.01, 100_000, _FIRESTORE),
    ("functions", "invocations"): Price(0.40, 1_000_000, _RUN),
    ("functions", "vcpu_seconds"): Price(0.000024, 1, _RUN),
    ("functions", "gib_seconds"): Price(0.0000025, 1, _RUN),
    ("pubsub", "publish_bytes"): Price(40.0, _TIB, _PUBSUB),
    ("pubsub", "delivery_bytes"): Price(40.0, _TIB, _PUBSUB),
    ("workflows", "internal_steps"): Price(0.01, 1000, _WORKFLOWS),
    ("workflows", "external_steps"): Price(0.025, 1000, _WORKFLOWS),
    ("eventarc", "events"): Price(0.0, 1, "[cloud.google.com/eventarc/pricing, events of Google sources]"),
    ("scheduler", "runs"): Price(
        0.0, 1, "[cloud.google.com/scheduler/pricing: 0.10 a job and month, however often it runs]"
    ),
    ("aiplatform", "deep_research_runs"): Price(
        0.0, 1, "[ai.google.dev/gemini-api/docs/pricing: its tokens and searches]"
    ),
    ("aiplatform", "input_tokens"): Price(prices.DEAREST.input, 1_000_000, prices.SOURCE),
    ("aiplatform", "output_tokens"): Price(prices.DEAREST.output, 1_000_000, prices.SOURCE),
    # Tokens count at the price of the dearest model; this is what others take less, in millionths of a USD.
    ("aiplatform", "cheaper_models"): Price(-1.0, 1_000_000, prices.SOURCE),
    ("aiplatform", "grounding_searches"): Price(prices.SEARCH_USD_PER_THOUSAND, 1000, prices.SOURCE),
}
