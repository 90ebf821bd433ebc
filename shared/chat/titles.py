"""A session's title: its first message, cut at a word."""

from __future__ import annotations

from shared.contracts.texts import one_line

TITLE_CHARACTERS = 60


def title_of(message: str, longest: int = TITLE_CHARACTERS) -> str:
    """The message on one line, cut at a word where there is one in its second half."""
    flat = " ".join(one_line(message).split())
    if len(flat) <= longest:
        return flat
    kept = flat[:longest]
    head, _, _ = kept.rpartition(" ")
    return f"{(head if len(head) >= longest // 2 else kept[:-1]).rstrip(' ,;:.')}…"
