"""What all models have in common."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)


UtcDatetime = Annotated[datetime, AfterValidator(_utc)]
"""A moment in UTC; as JSON an RFC 3339 string that ends in Z."""


class Model(BaseModel):
    """Immutable; refuses what it does not know. For what clients send and what we answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Stored(BaseModel):
    """A stored document: `v` is the version of its shape; fields of a newer version are ignored, never refused."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    v: int = 1
