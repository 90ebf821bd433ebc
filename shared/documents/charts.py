"""What a chart may be: any Vega-Lite specification that brings no data and names no address."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shared.documents.refusals import Refused

SPEC_BYTES = 50_000
_SIDE = 2_000
_DEPTH = 30
_REFUSED = frozenset({"url", "href", "data", "datasets", "usermeta", "from", "projection", "params", "config"})
"""Names of properties that bring data, lead out, or look elsewhere, wherever they stand."""
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def with_rows(spec: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The specification with those rows as its only data. Raises Refused for one that brings or fetches its own."""
    if len(json.dumps(spec)) > SPEC_BYTES:
        raise Refused("spec", f"The chart is longer than {SPEC_BYTES} bytes.")
    given = {name: value for name, value in spec.items() if name not in ("$schema", "data")}
    _check(given, 0)
    sides = {name: min(given[name], _SIDE) for name in ("width", "height") if isinstance(given.get(name), int | float)}
    return {**given, **sides, "$schema": _SCHEMA, "data": {"values": [dict(row) for row in rows]}}


def _check(value: Any, depth: int) -> None:
    if depth > _DEPTH:
        raise Refused("spec", "The chart is nested too deep.")
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if str(name).lower() in _REFUSED:
                message = f"Leave {name!r} out: a chart shows the rows of the document, and leads nowhere."
                raise Refused("spec", message)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)
