"""Pages of sorted names, with a token that says where the next page begins."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable

from infra.local.pubsub.names import invalid

MAX_PAGE = 1000


def page(names: Iterable[str], size: int, token: str) -> tuple[list[str], str]:
    """One page of `names` in order, and the token of the next one, empty at the end. Size 0: as many as allowed."""
    if size < 0:
        raise invalid(f"The value for page_size is too small. You passed {size}, but the minimum value is 0.")
    after = _decode(token)
    rest = sorted(name for name in names if name > after)
    found = rest[: min(size or MAX_PAGE, MAX_PAGE)]
    return found, base64.urlsafe_b64encode(found[-1].encode()).decode() if len(found) < len(rest) else ""


def _decode(token: str) -> str:
    try:
        return base64.urlsafe_b64decode(token).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise invalid("Invalid page token given.") from error
