"""What model services refuse with, in our own errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared.errors import InputError, MemexError, SettingsError, Transient
from shared.gateway.retry_after import retry_after_seconds

_MESSAGE_CHARACTERS = 500


@dataclass(frozen=True)
class Refusal:
    """An answer of `status`, 400 or more, with what the service said about it."""

    status: int
    message: str
    headers: Mapping[str, str]


def error_of(refusal: Refusal, model: str) -> MemexError:
    """The error to raise. `details.asked_seconds` is there when the service said when to try again."""
    said = f"The model service answered {refusal.status}: {refusal.message[:_MESSAGE_CHARACTERS] or 'no reason given'}"
    if refusal.status == 401:  # without its reason, which may quote the key: this is logged, and stored in a stream
        return SettingsError("The model service does not take the key: check MODEL_API_KEY or GEMINI_API_KEY.")
    if refusal.status == 403:
        return SettingsError(f"{said}. Check the key of the model service (MODEL_API_KEY, GEMINI_API_KEY).")
    if refusal.status == 404:
        return SettingsError(f"{said}. Check that the service has the model {model}.")
    if refusal.status in (408, 409, 425, 429) or refusal.status >= 500:
        header = refusal.headers.get("retry-after")
        asked = {} if header is None else {"asked_seconds": retry_after_seconds(header)}
        return Transient(said, retry_after_seconds=retry_after_seconds(header), http_status=refusal.status, **asked)
    return InputError(said, http_status=refusal.status)


def broke_off(model: str) -> Transient:
    """For a stream that ended without saying that the answer was whole."""
    return Transient(f"The answer of {model} broke off before its end.", reason="broke_off")
