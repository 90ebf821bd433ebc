"""Tokens on the meter, and what a cheaper model than the dearest takes less for them."""

from __future__ import annotations

from infra.local.meter import Meter
from shared.contracts.operations import Usage
from shared.contracts.prices import priced

_SERVICE = "aiplatform"


def count_input(meter: Meter, model: str, tokens: int) -> None:
    meter.add(_SERVICE, "input_tokens", tokens)
    _discounted(meter, model, Usage(input_tokens=tokens))


def count_output(meter: Meter, model: str, tokens: int) -> None:
    meter.add(_SERVICE, "output_tokens", tokens)
    _discounted(meter, model, Usage(output_tokens=tokens))


def _discounted(meter: Meter, model: str, usage: Usage) -> None:
    if less := priced(usage, model).discount_micros:
        meter.add(_SERVICE, "cheaper_models", less)
