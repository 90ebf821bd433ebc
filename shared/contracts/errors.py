"""The body of every refusal."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from shared.contracts.base import Model


class ErrorDetail(Model):
    """`message` says what to do; for bad input `details.field` names the field."""

    code: str
    message: str
    details: dict[str, Any] = Field(default_factory=dict)


class ErrorAnswer(Model):
    error: ErrorDetail
