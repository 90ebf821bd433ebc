"""The same Idempotency-Key is the same request: what was asked for is kept beside what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from shared.contracts.base import Model
from shared.errors import Unprocessable

_FIELD = "request_sha256"


def asked(request: Model) -> dict[str, str]:
    """What to store with the document that the request makes."""
    return {_FIELD: hashlib.sha256(request.model_dump_json().encode()).hexdigest()}


def check_same(request: Model, fields: Mapping[str, Any] | None, what: str) -> None:
    """Raises Unprocessable when the document that is there was made by another request."""
    if (fields or {}).get(_FIELD) != asked(request)[_FIELD]:
        message = f"This Idempotency-Key was used for another {what}: take a new one."
        raise Unprocessable(message, field="Idempotency-Key")
