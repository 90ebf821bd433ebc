"""Event data that fits: plain JSON values that Firestore can hold, at most EVENT_BYTES, cut with a visible marker."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_jsonable_python

from shared.contracts.limits import EVENT_BYTES

_ENVELOPE_BYTES = 2_000
_DEPTH = 15
_NAME_BYTES = 1_000
_STRING_BYTES = (32_000, 8_000, 2_000, 500)


def fitted(data: Mapping[str, Any]) -> dict[str, Any]:
    """`data` as it will be stored; what is stored so stays as it is.

    Long texts are cut first; if that is not enough, an excerpt of the JSON remains.
    """
    plain: dict[str, Any] = _storable(to_jsonable_python(dict(data), bytes_mode="base64", fallback=str), 0)
    if size(plain) <= EVENT_BYTES - _ENVELOPE_BYTES:
        return plain
    for longest in _STRING_BYTES:
        shorter: dict[str, Any] = cut_texts(plain, longest)
        if size(shorter) <= EVENT_BYTES - _ENVELOPE_BYTES:
            return shorter
    return {"excerpt": cut_text(json.dumps(plain, ensure_ascii=False), 8_000), "cut_bytes": size(plain)}


def size(value: Any) -> int:
    """Bytes of the value as JSON: no less than what Firestore counts for it, give or take the numbers."""
    return len(json.dumps(value, ensure_ascii=False).encode())


def cut_text(text: str, longest: int) -> str:
    """At most `longest` bytes of UTF-8, ending in a marker that says how much is missing."""
    raw = text.encode()
    if len(raw) <= longest:
        return text
    kept = raw[: longest - 40].decode(errors="ignore")
    return f"{kept} […{len(raw) - len(kept.encode())} bytes cut]"


def cut_texts(value: Any, longest: int) -> Any:
    """Every text in a JSON value cut by `cut_text`."""
    if isinstance(value, str):
        return cut_text(value, longest)
    if isinstance(value, dict):
        return {name: cut_texts(item, longest) for name, item in value.items()}
    if isinstance(value, list):
        return [cut_texts(item, longest) for item in value]
    return value


def _storable(value: Any, depth: int, inside_list: bool = False) -> Any:
    """Without what Firestore or JSON cannot hold: lists in lists, 20 levels, 65-bit integers, lone surrogates, NaN,
    and names that Firestore keeps for itself.
    """
    if isinstance(value, (dict, list)) and (depth > _DEPTH or (inside_list and isinstance(value, list))):
        return _clean(json.dumps(value, ensure_ascii=False))
    if isinstance(value, dict):
        return {_name(name): _storable(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list):
        return [_storable(item, depth + 1, inside_list=True) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    return _clean(value) if isinstance(value, str) else value


def _name(name: str) -> str:
    """A field's name as Firestore takes it: not empty, not of the form __x__, at most 1500 bytes."""
    cut = cut_text(_clean(name), _NAME_BYTES)
    return cut.strip("_") or "_" if not cut or (cut.startswith("__") and cut.endswith("__")) else cut


def _clean(text: str) -> str:
    return text.encode(errors="replace").decode()
