"""Field masks of UpdateTopic and UpdateSubscription: what may change is copied, the rest is refused by name."""

from __future__ import annotations

from typing import Any

from infra.local.pubsub.names import invalid


def updated(current: Any, wanted: Any, paths: list[str], mutable: frozenset[str]) -> Any:
    """A copy of `current` with the fields of `paths` as in `wanted`; INVALID_ARGUMENT for others than `mutable`."""
    kind = current.DESCRIPTOR.name
    if not paths:
        raise invalid(
            f"The update_mask in the Update{kind}Request must be set, and must contain a non-empty paths list."
        )
    result = type(current).FromString(current.SerializeToString())
    for path in paths:
        if path not in current.DESCRIPTOR.fields_by_name:
            reason = f"{path} is not a known {kind} field"
            raise invalid(f"Invalid update_mask provided in the Update{kind}Request: {reason}.")
        if path not in mutable:
            reason = f"the {path} field in the {kind} is not mutable"
            raise invalid(f"Invalid update_mask provided in the Update{kind}Request: {reason}.")
        _copy_field(wanted, result, path)
    return result


def _copy_field(source: Any, target: Any, name: str) -> None:
    part = type(source)()
    part.CopyFrom(source)
    for other in source.DESCRIPTOR.fields_by_name:
        if other != name:
            part.ClearField(other)
    target.ClearField(name)
    target.MergeFrom(part)
