"""What is wrong with what a person or a client sent, in words that name the field."""

from __future__ import annotations

import re

from pydantic import ValidationError

from shared.errors import InputError

_ERRORS_SHOWN = 20
_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")
"""How Python writes the member of an enumeration; people know its value alone."""


def invalid(error: ValidationError, within: str = "") -> InputError:
    """The first thing that is wrong, named as in "tags.3: …"; all of them in details.errors. No values.

    `within` is the field that holds what was checked; empty where that is the whole body.
    """
    found = problems(error, within=within)
    field, message = found[0]
    errors = [{"field": place, "message": told} for place, told in found[:_ERRORS_SHOWN]]
    return InputError(f"{field}: {message}", field=field, errors=errors)


def problems(error: ValidationError, *, within: str = "", whole: str = "body") -> list[tuple[str, str]]:
    """All that is wrong, one thing at least: the field by its path below `within`, and what it must be. No values.

    `whole` names what was checked, where the path is empty.
    """
    found = error.errors(include_input=False, include_url=False, include_context=False)
    places = [(within, *one["loc"]) if within else one["loc"] for one in found]
    told = [_MEMBER.sub(r"\1", one["msg"].removeprefix("Value error, ")) for one in found]
    return [(".".join(map(str, place)) or whole, words) for place, words in zip(places, told, strict=True)]
