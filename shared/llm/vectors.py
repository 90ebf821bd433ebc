"""Embeddings as they are kept: of unit length, all of one size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from shared.errors import ModelOutputError


def unit_vectors(vectors: Iterable[Sequence[float]], expected: int, model: str) -> list[list[float]]:
    """Each vector at length one. Raises ModelOutputError when there are not so many, or one has no direction."""
    found = [_unit(vector, model) for vector in vectors]
    if len(found) != expected or len({len(vector) for vector in found}) > 1:
        raise ModelOutputError(f"{model} gave {len(found)} vectors for {expected} texts, or of different sizes.")
    return found


def _unit(vector: Sequence[float], model: str) -> list[float]:
    length = math.sqrt(sum(value * value for value in vector))
    if not length or not math.isfinite(length):
        raise ModelOutputError(f"{model} gave a vector without a direction.")
    return [value / length for value in vector]
