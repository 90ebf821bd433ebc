"""Scripts as JSON: what tests in other processes post."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from infra.local.aiplatform.errors import invalid

T = TypeVar("T")


def read_script(adapter: TypeAdapter[T], data: Any, what: str) -> T:
    """A script from its JSON form (the same names; lists for tuples). Raises ApiError 400 for what is not `what`."""
    try:
        return adapter.validate_json(json.dumps(data, allow_nan=False), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise invalid(f"Not {what}: {where or 'it'}: {first['msg']}.", where) from error
    except (TypeError, ValueError) as error:
        raise invalid(f"Not {what}: {error}.") from error
