"""Field transforms: server time, increment, maximum, minimum, and the two array unions."""

from __future__ import annotations

import math
from typing import Any

from infra.local.firestore import fieldpath, limits, wire
from infra.local.firestore.encoding import encode
from infra.local.firestore.refusals import invalid

MAX_TRANSFORMS = 500
_LISTS = ("append_missing_elements", "remove_all_from_array")
_REQUEST_TIME = 1
_INT64_MAX, _INT64_MIN = (1 << 63) - 1, -(1 << 63)


def apply_transforms(fields: Any, transforms: Any, request_micros: int) -> list[Any]:
    """Change `fields` in place by each transform in order; returns their results. Raises INVALID_ARGUMENT."""
    paths = [fieldpath.parse_written(transform.field_path) for transform in transforms]
    results = []
    for path, transform in zip(paths, transforms, strict=True):
        value, result = _transformed(fieldpath.get(fields, path), transform, request_micros)
        fieldpath.put(fields, path, value)
        results.append(result)
    return results


def check_transforms(transforms: Any) -> None:
    """Refuse too many transforms, and a transform of what lies in another's field. Raises INVALID_ARGUMENT."""
    if len(transforms) > MAX_TRANSFORMS:
        raise invalid(f"A write has {len(transforms)} transforms, more than {MAX_TRANSFORMS}.")
    known = {fieldpath.parse_written(transform.field_path) for transform in transforms}
    for transform in transforms:
        _check_transform(transform)
    for path in known:
        if any(path[:length] in known for length in range(1, len(path))):
            raise invalid(f"Cannot transform {fieldpath.render(path)} and what it lies in at the same time.")


def _check_transform(transform: Any) -> None:
    kind = transform.WhichOneof("transform_type")
    if kind is None or (kind == "set_to_server_value" and transform.set_to_server_value != _REQUEST_TIME):
        raise invalid("A field transform has no type set.")
    if kind in _NUMERIC and _number(getattr(transform, kind)) is None:
        raise invalid(f"{kind} requires a number.")
    if kind in _LISTS:
        limits.check_value(wire.Value(array_value=getattr(transform, kind)))


def _transformed(current: Any | None, transform: Any, request_micros: int) -> tuple[Any, Any]:
    kind = transform.WhichOneof("transform_type")
    if kind == "set_to_server_value":
        value = wire.Value(timestamp_value=wire.timestamp_of(request_micros // 1000 * 1000))
        return value, value
    if kind in _NUMERIC:
        operand = getattr(transform, kind)
        value = _copy(operand) if current is None or _number(current) is None else _NUMERIC[kind](current, operand)
        return value, value
    if kind == "append_missing_elements":
        return _union(current, transform.append_missing_elements.values), wire.Value(null_value=0)
    return _without(current, transform.remove_all_from_array.values), wire.Value(null_value=0)


def _number(value: Any) -> float | int | None:
    kind = value.WhichOneof("value_type")
    if kind == "integer_value":
        return int(value.integer_value)
    return float(value.double_value) if kind == "double_value" else None


def _copy(value: Any) -> Any:
    copy = wire.Value()
    copy.CopyFrom(value)
    return copy


def _increment(current: Any, operand: Any) -> Any:
    left, right = _number(current), _number(operand)
    if isinstance(left, int) and isinstance(right, int):
        return wire.Value(integer_value=max(_INT64_MIN, min(_INT64_MAX, left + right)))
    return wire.Value(double_value=float(left or 0) + float(right or 0))


def _maximum(current: Any, operand: Any) -> Any:
    return _copy(_nan_of(current, operand) or (operand if encode(operand) > encode(current) else current))


def _minimum(current: Any, operand: Any) -> Any:
    return _copy(_nan_of(current, operand) or (operand if encode(operand) < encode(current) else current))


def _nan_of(*values: Any) -> Any | None:
    return next((value for value in values if math.isnan(_number(value) or 0)), None)


_NUMERIC = {"increment": _increment, "maximum": _maximum, "minimum": _minimum}


def _elements(current: Any | None) -> list[Any]:
    if current is None or current.WhichOneof("value_type") != "array_value":
        return []
    return list(current.array_value.values)


def _array(elements: list[Any]) -> Any:
    return wire.Value(array_value=wire.ArrayValue(values=elements))


def _union(current: Any | None, added: Any) -> Any:
    elements = _elements(current)
    seen = {encode(element) for element in elements}
    for element in added:
        key = encode(element)
        if key not in seen:
            seen.add(key)
            elements.append(element)
    return _array(elements)


def _without(current: Any | None, removed: Any) -> Any:
    gone = {encode(element) for element in removed}
    return _array([element for element in _elements(current) if encode(element) not in gone])
