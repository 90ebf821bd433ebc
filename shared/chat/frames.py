"""The frames of a session's stream that are no trace events: they have no id, since nothing of them is stored."""

from __future__ import annotations

from pydantic import BaseModel

from shared.contracts.chat import TextBlock, TextPiece, TextSoFar, TurnDone


def delta(piece: TextPiece) -> str:
    """A piece of text as the model writes it."""
    return _frame("delta", piece)


def block(finished: TextBlock) -> str:
    """A block of the text, rendered."""
    return _frame("block", finished)


def draft(piece: TextSoFar) -> str:
    """The whole text so far of an answer that another process receives."""
    return _frame("draft", piece)


def done(turn: TurnDone) -> str:
    """A turn has ended; the stream may go on with the next one."""
    return _frame("done", turn)


def _frame(event: str, data: BaseModel) -> str:
    return f"event: {event}\ndata: {data.model_dump_json()}\n\n"
