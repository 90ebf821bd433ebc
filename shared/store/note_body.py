"""A note's body in pieces: what is inline, and what goes on in parts. Cuts never fall inside a character."""

from __future__ import annotations

from shared.contracts.limits import NOTE_INLINE_BYTES, NOTE_PART_BYTES


def split(body: str) -> tuple[str, tuple[str, ...]]:
    """The inline text (at most NOTE_INLINE_BYTES of UTF-8) and the parts (at most NOTE_PART_BYTES each)."""
    raw = body.encode()
    if len(raw) <= NOTE_INLINE_BYTES:
        return body, ()
    end = _boundary(raw, NOTE_INLINE_BYTES)
    inline, parts = raw[:end].decode(), []
    while end < len(raw):
        start, end = end, _boundary(raw, end + NOTE_PART_BYTES)
        parts.append(raw[start:end].decode())
    return inline, tuple(parts)


def _boundary(raw: bytes, end: int) -> int:
    """The last start of a character at or before `end`."""
    end = min(end, len(raw))
    while end < len(raw) and raw[end] & 0b1100_0000 == 0b1000_0000:
        end -= 1
    return end
