"""Taking a turn over from a worker whose lease is over: the fence rises, and the one before can write no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.chat.holding import Held, Key, Told, lease_end
from shared.chat.ports import Ports
from shared.contracts.chat import ChatSession, Draft
from shared.contracts.events import EventType
from shared.errors import NotFound
from shared.store import paths
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot, put


@dataclass(frozen=True)
class Taken:
    """`held` is None when the turn has ended, or lives in another's hands for `wait_seconds` at least."""

    held: Held | None = None
    wait_seconds: float | None = None


class TakingOver:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def take(self, key: Key, tell: Callable[[Told], None]) -> Taken:
        """Take the turn over if its lease is over. Raises Transient."""
        lease_seconds = self._ports.settings.chat_lease_seconds
        waits: list[float] = []

        def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
            waits.clear()
            if session is None or session.turn is None or session.turn.id != key.turn_id:
                return None
            turn = session.turn
            left = (turn.lease_expires_at - found.read_time).total_seconds()
            if left > 0:
                waits.append(left)
                return None
            after = turn.model_copy(
                update={"fence": turn.fence + 1, "lease_expires_at": lease_end(found.read_time, lease_seconds)}
            )
            event = EventDraft(EventType.TURN_TAKEN_OVER, {"turn_id": turn.id, "fence": after.fence})
            now = self._ports.now()
            draft = Draft(iteration=0, text="", updated_at=now, fence=after.fence)
            fresh = put(paths.draft(session.id, turn.id), draft.model_dump())
            return Append({"turn": after.model_dump(), "updated_at": now}, (event,), (fresh,))

        chats = self._ports.store(key.workspace).chats
        try:
            change = chats.append(key.session_id, decide, point="chat.take_over")
        except NotFound:
            return Taken()
        if waits:
            return Taken(wait_seconds=waits[0])
        if not change.changed:
            return Taken()
        tell(change.events)
        return Taken(Held(self._ports, key, change.session, tell))
