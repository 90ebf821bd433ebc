"""One spelling for requests that come in two: the clients mix snake_case and camelCase on one wire."""

from __future__ import annotations

import re
from typing import Any

_UNDERSCORE = re.compile(r"_([a-z0-9])")
# What lies below these is the caller's own: its keys are data, not fields.
_OPAQUE = frozenset({"args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema"})


def camel(value: Any) -> Any:
    """The value with every field name in camelCase; arguments, responses and schemas are left as they are."""
    if isinstance(value, list):
        return [camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {_UNDERSCORE.sub(lambda match: match[1].upper(), str(key)): item for key, item in value.items()}
    return {key: item if key in _OPAQUE else camel(item) for key, item in renamed.items()}
