"""What all models have in common."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError as error:  # pydantic takes a ValueError alone for a refusal
        raise ValueError("must be a moment from year 1 to 9999, in UTC") from error


UtcDatetime = Annotated[datetime, AfterValidator(_utc)]
"""A moment in UTC; as JSON an RFC 3339 string that ends in Z."""


class Model(BaseModel):
    """Immutable; refuses what it does not know. For what clients send and what we answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Stored(BaseModel):
    """A stored document: `v` is the version of its shape. Unknown fields are ignored; a greater `v` is refused.

    A new field has a default and leaves `v` as it is: docs/decisions/2026-12-01-stored-shapes.md.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    v: int = 1
