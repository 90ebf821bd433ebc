"""Writes shapes.json anew, after a stored shape has changed: `python -m tests.corpus`."""

from __future__ import annotations

import json

from tests.corpus.shapes import SHAPES, shapes

if __name__ == "__main__":
    SHAPES.write_text(json.dumps(shapes(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
