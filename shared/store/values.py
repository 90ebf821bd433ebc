"""Field values as plain Python: whatever a client of Firestore may have stored, nothing of the library leaks out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any


def plain_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A document's fields with plain values; a reference becomes its path, a point a mapping."""
    return {name: plain(value) for name, value in fields.items()}


def plain(value: Any) -> Any:
    """One value; datetimes lose what is finer than a microsecond, which Firestore does not keep either."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return datetime.fromtimestamp(0, timezone.utc) + (moment - datetime.fromtimestamp(0, timezone.utc))
    if isinstance(value, Mapping):
        return plain_fields(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "latitude"):
        return {"latitude": value.latitude, "longitude": value.longitude}
    return str(getattr(value, "path", value))
