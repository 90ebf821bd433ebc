"""The text being written: told piece by piece, and stored once a second at most for whoever looks from elsewhere."""

from __future__ import annotations

import logging

from shared.chat.holding import Held
from shared.clock import Clock
from shared.contracts.chat import Draft, TextPiece
from shared.errors import Transient
from shared.llm.parts import clean
from shared.store.event_size import cut_text

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0
_DRAFT_BYTES = 200_000


class Drafting:
    """The text of one answer as it grows."""

    def __init__(self, held: Held, iteration: int, clock: Clock) -> None:
        self._held, self._iteration, self._clock = held, iteration, clock
        self._text = ""
        self._saved_at = clock.now()
        held.writing = (iteration, "")

    def add(self, piece: str) -> None:
        text = clean(piece)  # what is told is sent on, and what is stored is stored, as UTF-8
        self._text += text
        self._held.writing = (self._iteration, self._text)
        self._held.say(TextPiece(turn_id=self._held.key.turn_id, iteration=self._iteration, text=text))
        if (self._clock.now() - self._saved_at).total_seconds() >= EVERY_SECONDS:
            self._save()

    def _save(self) -> None:
        """A draft that is not stored is missed by nobody for longer than a second."""
        now = self._clock.now()
        text = cut_text(self._text, _DRAFT_BYTES)
        key = self._held.key
        try:
            draft = Draft(iteration=self._iteration, text=text, updated_at=now)
            self._held.store.chats.save_draft(key.session_id, key.turn_id, draft)
        except Transient as error:
            log.warning("turn %s: draft not stored: %s", key.turn_id, error.message)
        self._saved_at = self._clock.now()
