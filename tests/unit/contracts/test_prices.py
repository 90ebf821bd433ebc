"""What usage costs, by the model that answered."""

from __future__ import annotations

import pytest

from shared.contracts.operations import Usage
from shared.contracts.prices import DEAREST, MODELS, price_of, priced, usd_of

USED = Usage(input_tokens=900_000, tool_use_tokens=100_000, output_tokens=600_000, thought_tokens=400_000, searches=10)


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("gemini-3.8-flash", 4.5),
        ("models/gemini-3.8-flash-001", 4.5),
        ("gemini-3.5-flash", 10.5),
        ("gemini-3.5-flash-lite-preview", 2.8),
        ("nobody-knows-it", 14.0),
    ],
)
def test_a_model_of_the_table_costs_what_it_says_and_any_other_what_the_dearest_does(model: str, usd: float) -> None:
    assert usd_of(priced(USED, model)) == pytest.approx(usd + 0.14)


def test_usage_of_several_models_adds_up_to_what_each_has_cost() -> None:
    parts = [priced(USED, "gemini-2.5-flash-lite"), USED, priced(USED, "gemini-3.8-flash")]
    assert usd_of(sum(parts, Usage())) == pytest.approx(sum(map(usd_of, parts)))


def test_no_model_of_the_table_is_dearer_than_the_dearest() -> None:
    assert all(price.input <= DEAREST.input and price.output <= DEAREST.output for price in MODELS.values())
    assert price_of("") == DEAREST
