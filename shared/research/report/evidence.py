"""Whether a run's tools found anything at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def tools_gave_nothing(steps: Sequence[Mapping[str, Any]]) -> bool:
    """True when the run shows results of tools and every one is an error or empty; what is not shown is not judged."""
    results = [step for step in steps if isinstance(step.get("type"), str) and step["type"].endswith("_result")]
    return bool(results) and all(step.get("is_error") is True or _empty(step.get("result")) for step in results)


def _empty(result: Any) -> bool:
    if isinstance(result, list):
        return all(_empty(item) for item in result)
    if isinstance(result, dict):
        failed = result.get("status") in ("error", "paywall", "unsafe")
        return failed or not any(result.values())
    return not result
