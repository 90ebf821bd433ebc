"""Text that people see on one line, such as titles: what cannot be seen, or turns the text around it, has no place."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Of no width, or with a direction alone; joiners are none of them, since emoji and some scripts need them."""
_BREAK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_EMPTY = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u200c\u200d\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Shows nothing by itself."""


def one_line(text: str) -> str:
    """The text with blanks for line breaks and control characters, without what is hidden; "" if nothing is seen."""
    line = _HIDDEN.sub("", _BREAK.sub(" ", text)).strip()
    return line if _shows(line) else ""


def named(text: str) -> str:
    """The same. Raises ValueError where nothing of it can be seen."""
    line = one_line(text)
    if not line:
        raise ValueError("must have a character that can be seen")
    return line


def telling(text: str) -> str:
    """The text as it is. Raises ValueError where nothing of it can be seen."""
    named(text)
    return text


def hides(text: str) -> bool:
    """Whether something of it cannot be seen."""
    return _HIDDEN.search(text) is not None or _BREAK.search(text) is not None or not _shows(text)


def _shows(text: str) -> bool:
    return any(not unicodedata.category(each).startswith("Z") for each in _EMPTY.sub("", text))
