"""The Retry-After header, within reason."""

from __future__ import annotations

_DEFAULT_SECONDS = 5.0
_LONGEST_SECONDS = 60.0


def retry_after_seconds(header: str | None) -> float:
    """How long to wait: 1 to 60 s; what is absent, a date or no number means 5 s."""
    try:
        seconds = float(header or "")
    except ValueError:
        return _DEFAULT_SECONDS
    if seconds != seconds:  # NaN
        return _DEFAULT_SECONDS
    return min(max(seconds, 1.0), _LONGEST_SECONDS)
