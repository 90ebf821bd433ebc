"""The ready-made retry policies and predicates, with what they really retry (google-wire 6.2).

500 is in none of them.
"""

from __future__ import annotations

from infra.local.workflows.values import FunctionRef, Value

_TRANSIENT = (429, 502, 503, 504), ("ConnectionError", "ConnectionFailedError", "TimeoutError")
_UNTOUCHED = (429, 503), ("ConnectionFailedError",)
_DEFAULT_BACKOFF = {"initial_delay": 1.0, "max_delay": 60.0, "multiplier": 1.25}

PREDICATES = (
    "http.default_retry_predicate",
    "http.default_retry_predicate_non_idempotent",
    "retry.always",
    "retry.never",
)


def _policy(predicate: str) -> Value:
    return {"predicate": FunctionRef(predicate), "max_retries": 5, "backoff": dict(_DEFAULT_BACKOFF)}


CONSTANTS: dict[str, Value] = {
    **{name: FunctionRef(name) for name in PREDICATES},
    "http.default_retry": _policy("http.default_retry_predicate"),
    "http.default_retry_non_idempotent": _policy("http.default_retry_predicate_non_idempotent"),
    "retry.default_backoff": dict(_DEFAULT_BACKOFF),
}


def decide(predicate: str, error: Value) -> bool:
    """Whether a ready-made predicate retries this error."""
    if predicate in ("retry.always", "retry.never"):
        return predicate == "retry.always"
    codes, tags = _TRANSIENT if predicate == "http.default_retry_predicate" else _UNTOUCHED
    if not isinstance(error, dict):
        return False
    given = error.get("tags")
    found = given if isinstance(given, list) else []
    return any(tag in tags for tag in found) or ("HttpError" in found and error.get("code") in codes)
