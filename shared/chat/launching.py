"""Starting the execution of workflows/turn.yaml that watches over a turn: one for each turn that was created.

The lease lets one caller at a time do it. A second execution that comes to be all the same does no harm: a turn is
carried on by whoever gets its fence.
"""

from __future__ import annotations

import logging

from shared.chat.holding import Key, lease_end
from shared.chat.ports import Ports
from shared.contracts.chat import Turn, TurnArgument
from shared.errors import MemexError, Transient
from shared.faultpoint import faultpoint
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

WORKFLOW = "turn"


class LaunchHeld(Transient):
    """Another caller is starting an execution at this moment."""


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, key: Key, *, wait_seconds: float, dead: str | None = None) -> str | None:
        """Start an execution unless the turn has one, or has ended; its name, None when none was needed.

        `dead` names one that has ended and counts as none. Raises LaunchHeld, and Transient when the start failed.
        """
        if not self._leased(key, dead):
            return None
        faultpoint("before_call:executions.create")
        name = self._start(key, wait_seconds)
        faultpoint("after_call:executions.create")
        change = {"execution": name, "launch_expires_at": None}
        self._ports.store(key.workspace).chats.change_turn(
            key.session_id,
            key.turn_id,
            lambda turn, _found: None if turn.status.terminal else change,
            point="turn.launched",
        )
        return name

    def hand_over(self, key: Key) -> None:
        """Have a turn that was given back carried on at once, beside the execution that sleeps until its lease is over.

        Never raises: that one carries it on when this start fails.
        """
        try:
            self._start(key, 0.0)
        except MemexError as error:
            log.warning("turn %s waits for the end of its lease: %s", key.turn_id, error.message)

    def _start(self, key: Key, wait_seconds: float) -> str:
        argument = TurnArgument(
            workspace=key.workspace, session_id=key.session_id, turn_id=key.turn_id, wait_seconds=wait_seconds
        )
        return self._ports.executions.start(WORKFLOW, argument.model_dump())

    def _leased(self, key: Key, dead: str | None) -> bool:
        def decide(turn: Turn, found: Snapshot) -> dict[str, object] | None:
            if turn.status.terminal or (turn.execution is not None and turn.execution != dead):
                return None
            if turn.launch_expires_at is not None and turn.launch_expires_at > found.read_time:
                raise LaunchHeld("Another caller is starting an execution for this turn.", retry_after_seconds=5.0)
            seconds = self._ports.settings.launch_lease_seconds
            return {"launch_expires_at": lease_end(found.read_time, seconds), "execution": None}

        chats = self._ports.store(key.workspace).chats
        return chats.change_turn(key.session_id, key.turn_id, decide, point="turn.lease") is not None
