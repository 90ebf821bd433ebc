"""What is wrong with what a person or a client sent, in words that name the field."""

from __future__ import annotations

from pydantic import ValidationError

from shared.errors import InputError

_ERRORS_SHOWN = 20


def invalid(error: ValidationError, within: str = "") -> InputError:
    """The first thing that is wrong, named as in "tags.3: …"; all of them in details.errors. No values.

    `within` is the field that holds what was checked; empty where that is the whole body.
    """
    problems = [
        {"field": ".".join(map(str, place)) or "body", "message": one["msg"].removeprefix("Value error, ")}
        for one in error.errors(include_input=False, include_url=False, include_context=False)
        for place in [(within, *one["loc"]) if within else one["loc"]]
    ]
    first = problems[0]
    return InputError(f"{first['field']}: {first['message']}", field=first["field"], errors=problems[:_ERRORS_SHOWN])
