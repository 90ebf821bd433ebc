"""The answer as it is written: its pieces become frames, once a second at most, for whoever watches from anywhere."""

from __future__ import annotations

import logging

from shared.contracts.events import EventType
from shared.contracts.runs import AgentRun, RunStatus, RunStep
from shared.errors import Transient
from shared.llm.parts import clean
from shared.loop.seat import Halted
from shared.runs.frames import of_step
from shared.runs.ports import Key, Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0
_CHARACTERS = 4_000
"""So much is told at once, however soon it comes."""


class TellingText:
    """`draft` counts how often the answer was begun; pieces of an earlier one are void."""

    def __init__(self, ports: Ports, key: Key, step: RunStep) -> None:
        self._ports, self._key, self._step = ports, key, step
        self.draft = step.fence * 10
        self._waiting, self._told_at = "", ports.now()

    def add(self, piece: str | None) -> None:
        """Take a piece in; None begins anew. Raises Halted when the run has ended."""
        if piece is None:
            self.draft, self._waiting = self.draft + 1, ""
            return
        self._waiting += clean(piece)
        seconds = (self._ports.now() - self._told_at).total_seconds()
        if seconds >= EVERY_SECONDS or len(self._waiting) >= _CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Tell what has not been told; pieces that cannot be stored just now go with the next ones."""
        if not self._waiting:
            return
        frame = of_step(
            EventType.ANSWER_TEXT, self._step, RunStatus.SYNTHESISING.value, attempt=self.draft, text=self._waiting
        )

        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            if run is None or run.status.terminal:
                raise Halted("lost")
            return Append({"updated_at": self._ports.now()}, (frame,))

        try:
            self._ports.store(self._key.workspace).runs.append(self._key.run_id, decide, point="run.answer_text")
        except Transient as error:
            log.warning("run %s: text not told: %s", self._key.run_id, error.message)
        else:
            self._waiting = ""
        self._told_at = self._ports.now()
