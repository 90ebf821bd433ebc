"""Why a file is not taken: each refusal has a reason for programs and a sentence for people."""

from __future__ import annotations

from shared.errors import Unprocessable


class Refused(Unprocessable):
    """The file itself is the trouble. `details.reason` is one of empty, too_large, encrypted, unsupported, mismatch,
    archive, unreadable, no_text."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, reason=reason)
        self.reason = reason
