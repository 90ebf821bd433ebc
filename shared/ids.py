"""Ids: fresh ones are ULIDs, those of consequences derive from their causes."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from typing import Protocol

from shared.clock import Clock
from shared.errors import InputError

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SAFE_FORM = "1 to 128 of A-Z a-z 0-9 _ -"
_SAFE = re.compile(r"[A-Za-z0-9_-]{1,128}")


class IdSource(Protocol):
    def fresh(self) -> str:
        """A new id, never given before."""


class UlidSource:
    """ULIDs: 48 bits of milliseconds, then 80 random bits, so ids sort by their time of birth."""

    def __init__(self, clock: Clock, randomness: random.Random) -> None:
        self._clock, self._random = clock, randomness

    def fresh(self) -> str:
        value = int(self._clock.now().timestamp() * 1000) << 80 | self._random.getrandbits(80)
        return "".join(_CROCKFORD[value >> shift & 31] for shift in range(125, -1, -5))


def derived(prefix: str, *causes: str) -> str:
    """The id of a consequence: the same causes give the same id, `{prefix}_` and 26 characters."""
    digest = hashlib.sha256("\x1f".join(causes).encode()).digest()
    return f"{prefix}_{base64.b32encode(digest)[:26].decode().lower()}"


def is_safe(candidate: str) -> bool:
    """Whether a client's id may be used: 1 to 128 of A-Z a-z 0-9 _ -, and not of the reserved form __x__."""
    reserved = candidate.startswith("__") and candidate.endswith("__")
    return _SAFE.fullmatch(candidate) is not None and not reserved


def check_safe(candidate: str, field: str) -> None:
    """Raises InputError for an id that is none; `field` is where it was given."""
    if not is_safe(candidate):
        raise InputError(f"{field}: an id is {SAFE_FORM}", field=field)
