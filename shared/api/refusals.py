"""Refusals that only HTTP knows."""

from __future__ import annotations

from shared.errors import InputError, MemexError


class TooLarge(InputError):
    status, code = 413, "too_large"


class UnsupportedMediaType(InputError):
    status, code = 415, "unsupported_media_type"


class Misdirected(MemexError):
    """Another function answers this address, at a host of its own; `details.url` is its."""

    status, code = 421, "misdirected"


class MethodNotAllowed(MemexError):
    status, code = 405, "method_not_allowed"
