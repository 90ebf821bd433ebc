"""Stored documents as models."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from shared.contracts.base import Stored
from shared.invalid import problems
from shared.store.errors import Malformed
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

S = TypeVar("S", bound=Stored)


def parsed(model: type[S], fields: Mapping[str, Any], path: str) -> S:
    """The fields of the document at `path` as a model. Raises Malformed, which names the first wrong field.

    An error of our tree, so that one bad document is one failure: it neither ends a sweep nor is delivered for a day.
    """
    version, known = fields.get("v"), model.model_fields["v"].default
    if isinstance(version, int) and version > known:
        message = f"{path} is of version {version}, and this Memex knows {known}: deploy the newer one again."
        raise Malformed(message, field="v")
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        field, _ = problems(error, whole="its fields")[0]
        raise Malformed(
            f"{path} is malformed in {field}: put the document right, or delete it.", field=field
        ) from error


def well_formed(model: type[S], found: Iterable[Snapshot]) -> Iterator[S]:
    """The documents as models; one that is malformed is logged and left out, so that it ends no list."""
    for one in found:
        try:
            yield parsed(model, one.fields or {}, one.path)
        except Malformed as error:
            log.warning("left out of a list: %s", error.message)
