"""Whether a function has what it needs."""

from __future__ import annotations

from typing import Literal

from shared.contracts.base import Model


class Check(Model):
    """One thing that is needed. What is wrong with it is in the log, not here: anyone may ask."""

    name: str
    status: Literal["ok", "failing", "unused"]
    milliseconds: int = 0


class HealthAnswer(Model):
    """GET /_health."""

    status: Literal["ok", "failing"]
    checks: tuple[Check, ...]
