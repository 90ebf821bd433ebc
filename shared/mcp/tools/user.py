"""Whose memory is meant."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

UserId = Annotated[
    str | None,
    Field(max_length=200, description="Whose memory: yours where it is left out; anybody else's is refused."),
]
