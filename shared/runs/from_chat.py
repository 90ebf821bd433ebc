"""A run that a tool of a chat begins: its answer goes back there."""

from __future__ import annotations

from shared.runs.beginning import Wanted
from shared.store.workspace import WorkspaceStore

_CHAT = "chat_sessions/"


def wanted_by(store: WorkspaceStore, goal: str, actor: str) -> Wanted:
    """What `actor`, as a job names it, wants; a chat is told the answer, and the turn that asked is named."""
    if not actor.startswith(_CHAT):
        return Wanted(goal, user=actor)
    session_id = actor.removeprefix(_CHAT)
    session = store.chats.find(session_id)
    turn_id = session.turn.id if session is not None and session.turn is not None else None
    return Wanted(goal, user=actor, session_id=session_id, turn_id=turn_id)
