"""A turn gets the execution of workflows/turn.yaml that watches over it: one for each turn that was created.

A second one that comes to be all the same does no harm: a turn is carried on by whoever gets its fence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from shared.chat.holding import Key
from shared.chat.ports import Ports
from shared.contracts.chat import Turn, TurnArgument
from shared.errors import MemexError, Transient
from shared.operations import launch
from shared.store.errors import Contention
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

WORKFLOW = "turn"
_TRIES = 4


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, key: Key, *, wait_seconds: float, dead: str | None = None) -> str | None:
        """See `launch.ensure`. The execution first looks at the turn after `wait_seconds`."""
        return launch.ensure(self._ports.executions, _Launch(self._ports, key, wait_seconds), dead=dead)

    def hand_over(self, key: Key) -> None:
        """Have a turn that was given back carried on at once, beside the execution that sleeps until its lease is over.

        Never raises: that one carries it on when this start fails.
        """
        try:
            self._ports.executions.start(WORKFLOW, _argument(key, 0.0))
        except MemexError as error:
            log.warning("turn %s waits for the end of its lease: %s", key.turn_id, error.message)


class _Launch:
    """One turn, as its launch sees it."""

    workflow = WORKFLOW

    def __init__(self, ports: Ports, key: Key, wait_seconds: float) -> None:
        self._ports, self._key = ports, key
        self.argument = _argument(key, wait_seconds)

    def leased(self, dead: str | None) -> datetime | None:
        ends: list[datetime] = []

        def decide(turn: Turn, found: Snapshot) -> Mapping[str, Any] | None:
            ends.clear()
            taken = launch.lease(turn, found.read_time, seconds=self._ports.settings.launch_lease_seconds, dead=dead)
            if taken is not None:
                ends.append(taken["launch_expires_at"])
            return taken

        try:
            self._change(decide, "turn.lease")
        except Contention as error:
            raise launch.LaunchHeld("Another caller changes this turn.") from error
        return ends[0] if ends else None

    def launched(self, name: str) -> None:
        change = {"execution": name, "launch_expires_at": None}
        self._noted(lambda turn, _found: None if turn.status.terminal else change, "turn.launched")

    def postponed(self, until: datetime, error: Transient) -> None:
        del error  # whoever hears of the turn comes again, and logs why
        self._noted(lambda turn, _found: launch.returned(turn, until), "turn.postponed")

    def impossible(self, error: MemexError) -> None:
        """A turn needs no execution while its first worker lives."""
        raise error

    def _noted(self, decide: Callable[[Turn, Snapshot], Mapping[str, Any] | None], point: str) -> None:
        """What has happened is noted whoever writes the turn meanwhile, its worker mostly. Raises Transient."""
        for _ in range(_TRIES):
            try:
                return self._change(decide, point)
            except Contention:
                continue
        return self._change(decide, point)

    def _change(self, decide: Callable[[Turn, Snapshot], Mapping[str, Any] | None], point: str) -> None:
        chats = self._ports.store(self._key.workspace).chats
        chats.change_turn(self._key.session_id, self._key.turn_id, decide, point=point)


def _argument(key: Key, wait_seconds: float) -> dict[str, Any]:
    argument = TurnArgument(
        workspace=key.workspace, session_id=key.session_id, turn_id=key.turn_id, wait_seconds=wait_seconds
    )
    return argument.model_dump()
