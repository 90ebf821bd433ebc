"""Stored documents as models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from shared.contracts.base import Stored
from shared.store.errors import Malformed

S = TypeVar("S", bound=Stored)


def parsed(model: type[S], fields: Mapping[str, Any], path: str) -> S:
    """The fields of the document at `path` as a model. Raises Malformed, which names the first wrong field.

    An error of our tree, so that one bad document is one failure: it neither ends a sweep nor is delivered for a day.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        field = ".".join(map(str, error.errors(include_input=False)[0]["loc"]))
        raise Malformed(
            f"{path} is malformed in {field}: put the document right, or delete it.", field=field
        ) from error
