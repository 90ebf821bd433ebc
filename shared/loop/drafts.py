"""The text being written: told piece by piece, and stored once a second at most for whoever looks from elsewhere.

Who writes stores it with a piece that is due; where the model pauses then, whoever watches the work stores the rest.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from shared.clock import Clock
from shared.contracts.operations import Usage
from shared.errors import Transient
from shared.llm.parts import clean
from shared.loop.seat import Seat, Writing
from shared.store.event_size import cut_text

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0
_DRAFT_BYTES = 200_000


class Drafting:
    """The text of one answer as it grows."""

    def __init__(self, seat: Seat, iteration: int, clock: Clock) -> None:
        self._seat, self._iteration, self._clock = seat, iteration, clock
        self._text, self.bytes = "", 0
        self._saved_at = clock.now()
        seat.writing = Writing(iteration)

    def add(self, piece: str) -> None:
        text = clean(piece)  # what is told is sent on, and what is stored is stored, as UTF-8
        self._text += text
        self.bytes += len(text.encode())
        self._seat.writing = replace(self._seat.writing, text=self._text)
        self._seat.say(self._iteration, text)
        if (self._clock.now() - self._saved_at).total_seconds() >= EVERY_SECONDS:
            keep(self._seat, self._seat.writing)
            self._saved_at = self._clock.now()

    def spent(self, usage: Usage) -> None:
        """What the answer has used so far, where the service tells before its end."""
        self._seat.writing = replace(self._seat.writing, usage=usage)


def keep(seat: Seat, writing: Writing) -> None:
    """Store what is written so far. One that does not get through is missed by nobody for longer than a second."""
    try:
        seat.save_draft(writing.iteration, cut_text(writing.text, _DRAFT_BYTES))
    except Transient as error:
        log.warning("%s %s: draft not stored: %s", seat.kind, seat.id, error.message)
