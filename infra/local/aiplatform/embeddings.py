"""Embeddings by rule: a text's terms, hashed into a vector of unit length, so that shared words mean nearness."""

from __future__ import annotations

import hashlib
import math
from collections import Counter

from infra.local.aiplatform.terms import term_list

DEFAULT_DIMENSIONS = 3072  # as gemini-embedding-001 answers without outputDimensionality


def embed(text: str, dimensions: int = DEFAULT_DIMENSIONS) -> list[float]:
    """A unit vector; the same for the same terms, all zeros when the text has none."""
    vector = [0.0] * dimensions
    for term, count in Counter(term for term, _word in term_list(text)).items():
        digest = hashlib.sha256(term.encode()).digest()
        weight = 1.0 + math.log(count)
        for n in range(4):  # four places a term: two terms that meet in one place still differ
            place = int.from_bytes(digest[n * 4 : n * 4 + 4], "big") % dimensions
            vector[place] += weight if digest[16 + n] & 1 else -weight
    length = math.sqrt(sum(value * value for value in vector))
    return [round(value / length, 7) if value else 0.0 for value in vector] if length else vector
