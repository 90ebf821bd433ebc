"""From figures to what production would bill."""

from __future__ import annotations

import pytest

from infra.cost import alternatives, billing
from infra.cost.billing import Machine
from infra.cost.book import Book
from infra.local.prices import FREE, PRICES
from shared.contracts.manifest import FunctionRow, HttpTrigger, Manifest

MACHINE = Machine("2026-12-01", {"research/poll": 0.02, "research/start": 0.05}, {"research": 0.55, "api": 1.0})


def row(name: str, **more: object) -> FunctionRow:
    return FunctionRow(
        name=name,
        entry_point=name,
        trigger=HttpTrigger(type="http"),
        invoker="private",
        service_account=f"fn-{name}",
        secrets=("GEMINI_API_KEY", "BRAVE_API_KEY"),
        **more,
    )


MANIFEST = Manifest(functions=(row("research", memory="1Gi", cpu=2), row("on-trace-archive")))


def requests(
    count: int, *, cold: int = 0, waited: float = 0.0, round_trips: int = 0, reads: int = 0
) -> dict[str, float]:
    return {"count": count, "cold": cold, "waited": waited, "round_trips": round_trips, "reads": reads}


def test_a_request_takes_its_own_time_its_services_and_its_waits_in_steps_of_100_ms() -> None:
    assert billing.request_seconds("research/poll", requests(1), MACHINE) == pytest.approx(0.1)
    assert billing.request_seconds("research/poll", requests(2, round_trips=16), MACHINE) == pytest.approx(0.1)
    assert billing.request_seconds("research/poll", requests(2, round_trips=18), MACHINE) == pytest.approx(0.2)
    assert billing.request_seconds("research/poll", requests(1, waited=3.0), MACHINE) == pytest.approx(3.1)


def test_a_kind_that_was_never_timed_takes_a_tenth_of_a_second() -> None:
    assert MACHINE.own("research/listen") == 0.1 and MACHINE.own("research/start") == 0.05
    assert MACHINE.load("unheard-of") == 1.0


def test_seconds_cost_by_the_memory_and_processors_of_the_manifest_and_cold_starts_read_secrets() -> None:
    figures = {"units": {"firestore.document_reads": 7}, "requests": {"research/poll": requests(10, cold=2)}}
    found = billing.amounts(figures, MANIFEST, MACHINE)
    seconds = 10 * 0.1 + 2 * 0.6
    assert found["functions", "vcpu_seconds"] == pytest.approx(2 * seconds)
    assert found["functions", "gib_seconds"] == pytest.approx(seconds)
    assert found["functions", "invocations"] == 10 and found["firestore", "document_reads"] == 7
    assert found["secretmanager", "accesses"] == 2, "a secret that is not given by default is not there to be read"


def test_what_a_scenario_leaves_is_no_part_of_its_bill() -> None:
    figures = {"units": {"firestore.stored_bytes": 1000, "storage.stored_bytes": 50}, "requests": {}}
    assert not billing.amounts(figures, MANIFEST, MACHINE)
    assert dict(billing.stored(figures)) == {
        ("firestore", "stored_byte_months"): 1000,
        ("storage", "stored_byte_months"): 50,
    }


def test_only_what_goes_beyond_the_free_tier_remains_to_be_paid() -> None:
    unit = ("workflows", "internal_steps")
    assert billing.after_free({unit: FREE[unit]})[unit] == 0.0
    assert billing.after_free({unit: FREE[unit] + 1000})[unit] == pytest.approx(0.01)
    assert billing.after_free({("aiplatform", "output_tokens"): 1_000_000})["aiplatform", "output_tokens"] == 12.0


def test_models_are_told_apart_from_the_platform() -> None:
    costs = {("aiplatform", "input_tokens"): 2.0, ("aiplatform", "cheaper_models"): -1.5, ("firestore", "x"): 0.25}
    assert (billing.platform(costs), billing.models(costs)) == (0.25, 0.5)


def test_what_is_free_has_a_price_and_prices_name_their_source() -> None:
    assert FREE.keys() <= PRICES.keys()
    assert all(price.source for price in PRICES.values())


def test_other_ways_of_waiting_cost_what_their_formulae_say() -> None:
    def research(polls: int) -> dict[str, object]:
        steps = {"workflows.internal_steps": 20 + 9 * polls}
        return {"units": steps, "requests": {"research/poll": requests(polls, reads=2 * polls)}}

    book = Book({f"research-{name}": research(polls) for name, polls in ((30, 80), (120, 260))}, MANIFEST, MACHINE)
    assert book.steps_a_poll == 9
    poll = 0.1 * (2 * 0.000024 + 0.0000025) + 0.4e-6 + 2 * 0.3e-6 + billing.LOG_BYTES * 0.5 / 2**30
    assert book.poll_usd == pytest.approx(poll)
    run = book.platform("research-30")
    assert alternatives.task_queue(book, "research-30") == pytest.approx(run - 80 * 9 * 1e-5 + 80 * 2 * 0.4e-6)
    assert alternatives.fixed_poll(book, "research-30", 30) == pytest.approx(run - 20 * (poll + 9e-5))
    always, waiting, machine = (way.usd for way in alternatives.always_on())
    assert always == pytest.approx(2_592_000 * (0.000018 + 0.000001))
    assert waiting == pytest.approx(2_592_000 * 0.00000375) and machine == pytest.approx(12.63)
