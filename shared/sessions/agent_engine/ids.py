"""A session's id as a resource id of the service, which takes `[a-z0-9-]`, 63 at most, and a letter at the beginning.

Two ids never address one session: what the folding loses, a fingerprint says; and an id that looks as if it had one
gets one too, so that no caller can name another's session by its resource id.
"""

from __future__ import annotations

import base64
import hashlib
import re

MOST = 63
_PLAIN = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_FINGERPRINT_LENGTH = 16
_LOOKS_FOLDED = re.compile(rf"-[a-z2-7]{{{_FINGERPRINT_LENGTH}}}$")
_OTHER = re.compile(r"[^a-z0-9]+")


def resource_id(session_id: str) -> str:
    """The resource id; the session's own where the service takes it as it is."""
    if _PLAIN.fullmatch(session_id) and not _LOOKS_FOLDED.search(session_id):
        return session_id
    folded = _OTHER.sub("-", session_id.lower()).strip("-")
    if not folded[:1].isalpha():
        folded = f"s-{folded}"
    return f"{folded[: MOST - _FINGERPRINT_LENGTH - 1].rstrip('-')}-{_fingerprint(session_id)}"


def _fingerprint(session_id: str) -> str:
    """80 bits of its digest."""
    return base64.b32encode(hashlib.sha256(session_id.encode()).digest()[:10]).decode().lower()
