"""One request of a script, and how it is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from google.protobuf import text_format


@dataclass(frozen=True)
class Step:
    """One request of the Firestore service."""

    method: str
    request: Any
    actor: int = 0
    """Who of several asks, where that matters."""

    def __repr__(self) -> str:
        text = text_format.MessageToString(self.request, as_one_line=True, as_utf8=True)
        return f"{f'{self.actor}: ' if self.actor else ''}{self.method} {_shortened(text)}"


def _shortened(text: str) -> str:
    text = text.replace("projects/parity/databases/(default)/documents", "…")
    return re.sub(r"(.)\1{99,}", lambda run: f"{run[1]}*{len(run[0])}", text)


Script = list[Step]
"""Requests in order."""
