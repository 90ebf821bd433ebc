"""What a tool answered, cut to what a model should read, with a marker it can see."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_jsonable_python

from shared.store.event_size import cut_text, cut_texts, fitted, size

_STRINGS = (8_000, 2_000, 500, 120)


def capped(result: Mapping[str, Any], limit: int) -> dict[str, Any]:
    """The result as plain JSON of at most `limit` bytes: long texts are cut first, then lists, then all of it."""
    plain: dict[str, Any] = fitted(to_jsonable_python(dict(result), fallback=str))
    if size(plain) <= limit:
        return plain
    for longest in _STRINGS:
        shorter: dict[str, Any] = cut_texts(plain, longest)
        if size(shorter) <= limit:
            return shorter
    whole = dict(shorter)
    while size(shorter) > limit and (longest_list := _longest_list(shorter)):
        kept = shorter[longest_list][: len(shorter[longest_list]) // 2]
        left_out = len(whole[longest_list]) - len(kept)
        shorter = shorter | {longest_list: kept, f"{longest_list}_left_out": left_out}
    if size(shorter) <= limit:
        return shorter
    return {"cut": f"The answer had {size(plain)} bytes.", "excerpt": cut_text(json.dumps(plain), limit // 2)}


def _longest_list(result: Mapping[str, Any]) -> str | None:
    lists = {name: size(value) for name, value in result.items() if isinstance(value, list) and len(value) > 1}
    return max(lists, key=lambda name: lists[name], default=None)
