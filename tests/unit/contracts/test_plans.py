"""What a person says of a plan: a word that costs money is about one revision, and nothing is guessed to be it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from shared.contracts.base import Model
from shared.contracts.plans import PlanApproval, PlanChange, PlanEdit


@pytest.mark.parametrize("revision", ["true", '"1"', "1.0", "null"])
def test_what_is_no_whole_number_is_no_revision(revision: str) -> None:
    said: dict[type[Model], str] = {PlanApproval: "", PlanChange: ', "change": "c"', PlanEdit: ', "text": "t"'}
    for model, more in said.items():
        assert model.model_validate_json(f'{{"revision": 1{more}}}').model_dump()["revision"] == 1
        with pytest.raises(ValidationError):
            model.model_validate_json(f'{{"revision": {revision}{more}}}')
