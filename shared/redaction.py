"""No secret in what is told: whatever a message quotes by mistake, what is secret in it is taken out.

It is the last line, not the first: nothing should quote a secret. But services echo what they were sent, and libraries
put whole addresses into their errors; so every error of ours and every line of the log passes here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

REDACTED = "[redacted]"
LEAST_CHARACTERS = 8
"""What is shorter is no secret, and stands in ordinary words."""
_SHAPES = re.compile(
    r"(?P<kept>\bbearer\s+)[A-Za-z0-9._~+/=-]{16,}"
    r"|(?P<query>[?&](?:key|api_key|apikey|token|access_token|id_token|sig|signature|x-(?:goog|amz)-(?:signature|credential"
    r"|security-token))=)[^&\s\"'<>]+"
    r"|(?P<feed>/feed/)[0-9a-f]{40}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|\bmemex_[A-Za-z0-9_-]{40,}"
    r"|\bwhsec_[A-Za-z0-9+/=_-]{16,}"
    r"|\bya29\.[A-Za-z0-9._-]{10,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}",
    re.IGNORECASE,
)
"""How credentials look that nobody told us of: those of callers, of Google, and in addresses."""
_known: set[str] = set()


def learn(secrets: Iterable[str]) -> None:
    """Know these from now on, for as long as the process lives; also as they stand in an address."""
    for secret in secrets:
        if len(secret) >= LEAST_CHARACTERS:
            _known.update((secret, quote(secret, safe="", errors="replace")))


def redacted(text: str) -> str:
    """The text without what is known or looks like a secret."""
    for secret in _known:
        if secret in text:
            text = text.replace(secret, REDACTED)
    return _SHAPES.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    return f"{match['kept'] or match['query'] or match['feed'] or ''}{REDACTED}"
