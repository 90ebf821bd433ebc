"""Earlier turns as the model is told of them: word by word, or in a summary without a model."""

from __future__ import annotations

from collections.abc import Sequence

from shared.contracts.chat import Turn, TurnStatus
from shared.contracts.limits import SUMMARY_CHARACTERS
from shared.llm.port import Message, Text
from shared.loop.fitting import Exchange

TURNS = 100
"""The most turns that go to the model word by word, however short they are."""
_LINE_CHARACTERS = 200


def exchange_of(turn: Turn) -> Exchange:
    """A turn as the question and its answer; one without an answer says why, so that the two still alternate."""
    answer = turn.answer or f"(No answer: the turn was {turn.status.value}.)"
    if turn.answer and turn.status is not TurnStatus.COMPLETED:
        answer = f"{answer}\n\n(The turn was {turn.status.value} here.)"
    return (Message("user", (Text(turn.text),)), Message("model", (Text(answer),)))


def by_rule(before: str, old: Sequence[Turn]) -> str:
    """A summary without a model: the first words of each message and answer; the oldest go first."""
    lines = [line for line in before.split("\n") if line]
    for turn in old:
        lines += [f"Person: {_line(turn.text)}", f"Memex: {_line(turn.answer or turn.status.value)}"]
    while len("\n".join(lines)) > SUMMARY_CHARACTERS and len(lines) > 1:
        lines.pop(0)
    return "\n".join(lines)[:SUMMARY_CHARACTERS]


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE_CHARACTERS else flat[:_LINE_CHARACTERS] + "…"
