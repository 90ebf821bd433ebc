"""The contracts of the demonstration: read by the product's own parser, they have their deadlines."""

from __future__ import annotations

import re

import pytest

from infra.cli.demo.make_contracts import FOLDER
from shared.documents.parsers import pdf
from shared.documents.parsers.reading import Wanted

FOURTH_QUARTER = {
    "it-services-agreement-pell-and-orchard": {"12 October", "27 November", "31 December"},
    "office-lease-kestrel-yard": {"15 October", "31 October", "30 November", "15 December", "31 December"},
    "supply-agreement-norrvik-motors": {"2 October", "9 November", "31 December"},
}
_DAY = re.compile(r"(\d{1,2} (?:October|November|December)) 2026")


@pytest.mark.parametrize("name", sorted(FOURTH_QUARTER))
def test_a_contract_has_three_pages_and_its_deadlines_of_the_fourth_quarter(name: str) -> None:
    found = pdf.read(Wanted(FOLDER / f"{name}.pdf", 0, 20))
    assert found.total == 3 and not found.problems and all(found.texts)
    assert set(_DAY.findall(" ".join(" ".join(found.texts).split()))) == FOURTH_QUARTER[name]
