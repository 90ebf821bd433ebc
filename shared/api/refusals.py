"""Refusals that only HTTP knows."""

from __future__ import annotations

from pydantic import ValidationError

from shared.errors import InputError, MemexError

_ERRORS_SHOWN = 20


class TooLarge(InputError):
    status, code = 413, "too_large"


class UnsupportedMediaType(InputError):
    status, code = 415, "unsupported_media_type"


class MethodNotAllowed(MemexError):
    status, code = 405, "method_not_allowed"


def invalid(error: ValidationError) -> InputError:
    """The first thing that is wrong in a body, named as in "tags.3: …"; all of them in details.errors. No values."""
    problems = [
        {"field": ".".join(map(str, one["loc"])) or "body", "message": one["msg"].removeprefix("Value error, ")}
        for one in error.errors(include_input=False, include_url=False, include_context=False)
    ]
    first = problems[0]
    return InputError(f"{first['field']}: {first['message']}", field=first["field"], errors=problems[:_ERRORS_SHOWN])
