"""From counts to a bill."""

from __future__ import annotations

import pytest

from infra.local.bill import bill_of
from infra.local.prices import PRICES


def test_amounts_are_priced_by_service_and_unit() -> None:
    bill = bill_of({("firestore", "document_reads"): 200_000, ("workflows", "internal_steps"): 3000})
    assert bill.by_service() == pytest.approx({"firestore": 0.06, "workflows": 0.03})
    assert bill.total_usd == pytest.approx(0.09)


def test_a_unit_without_a_price_is_shown_and_said_to_be_unpriced() -> None:
    row = bill_of({("firestore", "storage_bytes"): 5}).rows[0]
    assert (row.amount, row.usd, row.priced) == (5, 0.0, False)


def test_every_price_names_its_source() -> None:
    assert all(price.source and price.per > 0 for price in PRICES.values())
    assert {unit for (_, unit), price in PRICES.items() if price.usd < 0} == {"cheaper_models"}
