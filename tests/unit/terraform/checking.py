"""Compares what stands in Terraform's files with the provider's schema, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

META = {"count", "for_each", "provider", "depends_on", "lifecycle"}


def problems(body: Mapping[str, Any], block: Mapping[str, Any], at: str) -> Iterator[str]:
    """A sentence for each unknown argument, missing argument, and block that comes too often."""
    nested = _nested(body, block)
    for name in body:
        if name not in {*block["attributes"], *block["blocks"], *META, "dynamic"}:
            yield f"{at}: there is no {name}"
    for name, attribute in block["attributes"].items():
        if attribute["required"] and name not in body:
            yield f"{at}: {name} is missing"
    for name, inner in block["blocks"].items():
        found = nested.get(name, [])
        if inner["required"] and not found:
            yield f"{at}: the block {name} is missing"
        if len(found) > 1 and not inner["many"]:
            yield f"{at}: {name} is there more than once"
        for one in found:
            yield from problems(one, inner, f"{at}.{name}")
    for name in nested:
        if name not in block["blocks"]:
            yield f"{at}: there is no block {name}"


def _nested(body: Mapping[str, Any], block: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """By name: the blocks within, those that `dynamic` makes too."""
    found = {name: list(body[name]) for name in block["blocks"] if isinstance(body.get(name), list)}
    for entry in body.get("dynamic", []):
        for name, made in entry.items():
            found.setdefault(name, []).extend(made["content"])
    return found
