"""A note's words as a fingerprint: by it a file and a note know whether the other has changed since they were alike."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence


def fingerprint(title: str, tags: Sequence[str], body: str) -> str:
    """The same title, tags (whatever their order) and body have the same one; ends of lines do not count."""
    plain = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text = json.dumps([title.strip(), sorted(set(tags)), plain], ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
