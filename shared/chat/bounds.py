"""What one turn may use up, and what it says when it ends there."""

from __future__ import annotations

from datetime import timedelta

from shared.clock import Clock
from shared.config import Settings
from shared.loop.bounds import Reached
from shared.loop.seat import Progress


class Bounds:
    """The limits of the settings, against the clock."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.iterations, self.calls = settings.chat_max_iterations, settings.chat_max_calls
        self.tokens, self._seconds, self._clock = settings.chat_max_tokens, settings.chat_max_seconds, clock

    def reached(self, turn: Progress) -> Reached | None:
        """The bound that the turn has come to, if any."""
        used = turn.usage
        if turn.calls > self.calls:
            sentence = f"I stopped here, since this would have taken more than {self.calls} tool calls."
            return Reached("calls", f"{sentence} Ask me to go on, or for less at once.")
        if turn.iteration >= self.iterations:
            return Reached("iterations", f"I stopped after {self.iterations} steps, before an end. Say go on.")
        if used.input_tokens + used.output_tokens + used.thought_tokens >= self.tokens:
            return Reached("tokens", f"I stopped here: this turn has used its {self.tokens:,} tokens. Say go on.")
        if self.left_seconds(turn) <= 0:
            return Reached("time", f"I stopped here: this took longer than {self._seconds:g} seconds. Say go on.")
        return None

    def left_seconds(self, turn: Progress) -> float:
        """How long the turn may still take."""
        end = turn.started_at + timedelta(seconds=self._seconds)
        return (end - self._clock.now()).total_seconds()
