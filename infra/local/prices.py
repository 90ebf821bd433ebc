"""What a billable unit costs in production: one dated table; what models cost it has from the product's own.

As of the product's date, us-central1, USD. Bills are at list price; what is free each month is in FREE. What is stored
or lies ready is on no bill of a run: docs/cost.md has it. A source in [brackets] was not confirmed on the day.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts import prices

AS_OF = prices.AS_OF
REGION = "us-central1"
MONTH_DAYS = 30


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
_RUN_INSTANCE = "[cloud.google.com/run/pricing, instance-based billing]"
_PUBSUB = "[cloud.google.com/pubsub/pricing, per TiB]"
_WORKFLOWS = "[cloud.google.com/workflows/pricing]"
_SCHEDULER = "[cloud.google.com/scheduler/pricing: by job, however often it runs]"
_SECRETS = "[cloud.google.com/secret-manager/pricing]"
_STORAGE = "[cloud.google.com/storage/pricing, standard, us-central1]"
_LOGGING = "[cloud.google.com/stackdriver/pricing]"
_NETWORK = "[cloud.google.com/vpc/network-pricing, premium tier, North America]"
_REGISTRY = "[cloud.google.com/artifact-registry/pricing]"
_TASKS = "[cloud.google.com/tasks/pricing: a call of the API or an attempt to deliver]"
_ALERTING = "[docs.cloud.google.com/monitoring/alerts/cost-control: announced in 2025, postponed more than once]"
_COMPUTE = "[cloud.google.com/compute/vm-instance-pricing, e2-small with a disk of 10 GB, a month]"
_TIB, _GIB = 2.0**40, 2.0**30

PRICES: dict[tuple[str, str], Price] = {
    ("firestore", "document_reads"): Price(0.03, 100_000, _FIRESTORE),
    ("firestore", "document_writes"): Price(0.09, 100_000, _FIRESTORE),
    ("firestore", "document_deletes"): Price(0.01, 100_000, _FIRESTORE),
    ("firestore", "stored_byte_months"): Price(0.15, _GIB, _FIRESTORE),
    ("firestore", "backup_byte_months"): Price(0.03, _GIB, _FIRESTORE),
    ("functions", "invocations"): Price(0.40, 1_000_000, _RUN),
    ("functions", "vcpu_seconds"): Price(0.000024, 1, _RUN),
    ("functions", "gib_seconds"): Price(0.0000025, 1, _RUN),
    ("functions", "idle_vcpu_seconds"): Price(0.0000025, 1, f"{_RUN}, minimum instances"),
    ("functions", "idle_gib_seconds"): Price(0.0000025, 1, f"{_RUN}, minimum instances"),
    ("functions", "always_on_vcpu_seconds"): Price(0.000018, 1, _RUN_INSTANCE),
    ("functions", "always_on_gib_seconds"): Price(0.000002, 1, _RUN_INSTANCE),
    ("pubsub", "publish_bytes"): Price(40.0, _TIB, _PUBSUB),
    ("pubsub", "delivery_bytes"): Price(40.0, _TIB, _PUBSUB),
    ("workflows", "internal_steps"): Price(0.01, 1000, _WORKFLOWS),
    ("workflows", "external_steps"): Price(0.025, 1000, _WORKFLOWS),
    ("eventarc", "events"): Price(0.0, 1, "[cloud.google.com/eventarc/pricing, events of Google sources]"),
    ("scheduler", "runs"): Price(0.0, 1, _SCHEDULER),
    ("scheduler", "job_months"): Price(0.10, 1, _SCHEDULER),
    ("tasks", "operations"): Price(0.40, 1_000_000, _TASKS),
    ("secretmanager", "accesses"): Price(0.03, 10_000, _SECRETS),
    ("secretmanager", "version_months"): Price(0.06, 1, _SECRETS),
    ("storage", "stored_byte_months"): Price(0.02, _GIB, _STORAGE),
    ("storage", "changes"): Price(0.005, 1000, f"{_STORAGE}, class A"),
    ("registry", "stored_byte_months"): Price(0.10, _GIB, _REGISTRY),
    ("logging", "bytes"): Price(0.50, _GIB, _LOGGING),
    ("network", "answer_bytes"): Price(0.12, _GIB, _NETWORK),
    ("monitoring", "condition_months"): Price(1.50, 1, _ALERTING),
    ("compute", "small_machine_months"): Price(12.23 + 10 * 0.04, 1, _COMPUTE),
    ("aiplatform", "deep_research_runs"): Price(
        0.0, 1, "[ai.google.dev/gemini-api/docs/pricing: its tokens and searches]"
    ),
    ("aiplatform", "input_tokens"): Price(prices.DEAREST.input, 1_000_000, prices.SOURCE),
    ("aiplatform", "output_tokens"): Price(prices.DEAREST.output, 1_000_000, prices.SOURCE),
    # Tokens count at the price of the dearest model; this is what others take less, in millionths of a USD.
    ("aiplatform", "cheaper_models"): Price(-1.0, 1_000_000, prices.SOURCE),
    ("aiplatform", "grounding_searches"): Price(prices.SEARCH_USD_PER_THOUSAND, 1000, prices.SOURCE),
}

FREE: dict[tuple[str, str], float] = {
    ("firestore", "document_reads"): 50_000 * MONTH_DAYS,  # a day, which a quiet month never exceeds on one
    ("firestore", "document_writes"): 20_000 * MONTH_DAYS,
    ("firestore", "document_deletes"): 20_000 * MONTH_DAYS,
    ("firestore", "stored_byte_months"): _GIB,
    ("functions", "invocations"): 2_000_000,
    ("functions", "vcpu_seconds"): 180_000,
    ("functions", "gib_seconds"): 360_000,
    ("pubsub", "publish_bytes"): 5 * _GIB,  # ten for both together
    ("pubsub", "delivery_bytes"): 5 * _GIB,
    ("workflows", "internal_steps"): 5_000,
    ("workflows", "external_steps"): 2_000,
    ("scheduler", "job_months"): 3,
    ("tasks", "operations"): 1_000_000,
    ("secretmanager", "accesses"): 10_000,
    ("secretmanager", "version_months"): 6,
    ("storage", "stored_byte_months"): 5 * _GIB,
    ("storage", "changes"): 5_000,
    ("registry", "stored_byte_months"): _GIB / 2,
    ("logging", "bytes"): 50 * _GIB,
    ("network", "answer_bytes"): _GIB,
}
"""What is free each month, from the same sources; most of it once for a billing account, and Firestore's by day."""
