"""Messages that fit a budget of tokens: whole exchanges are left out, so that no call loses its result."""

from __future__ import annotations

import json
from collections.abc import Sequence

from shared.llm.port import Call, Message, Result

Exchange = tuple[Message, ...]
"""Messages that stay together: a question and its answer, or a model's answer and the results of its calls."""

_BYTES_PER_TOKEN = 4
_MESSAGE_TOKENS = 4


def tokens(message: Message) -> int:
    """A rough count, rather too high than too low for prose: four bytes a token."""
    size = len(message.verbatim.encode(errors="replace"))
    for part in message.parts:
        if isinstance(part, Result):
            size += len(json.dumps(part.content, default=str))
        elif not message.verbatim:
            text = json.dumps(dict(part.arguments), default=str) if isinstance(part, Call) else part.text
            size += len(text.encode(errors="replace"))
    return size // _BYTES_PER_TOKEN + _MESSAGE_TOKENS


def total(exchanges: Sequence[Exchange]) -> int:
    return sum(tokens(message) for exchange in exchanges for message in exchange)


def fitted(past: Sequence[Exchange], present: Sequence[Exchange], budget: int) -> tuple[Message, ...]:
    """The messages within `budget`, the oldest exchanges left out: of earlier turns first, then of this one.

    The first of `present` is the person's message, and always stays; so does the last exchange, which the model has
    not answered yet.
    """
    earlier, own = list(past), list(present)
    while total(earlier) + total(own) > budget:
        if earlier:
            earlier.pop(0)
        elif len(own) > 2:
            own.pop(1)
        else:
            break
    return tuple(message for exchange in (*earlier, *own) for message in exchange)
