"""The session store that the settings name; each loads what it needs, and nothing of the others."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from shared.clock import Clock
from shared.config import Settings
from shared.contracts.sessions import SessionStoreKind
from shared.errors import SettingsError
from shared.sessions.owned import OwnedSessions
from shared.sessions.port import SessionStore, Shelf
from shared.sessions.store import Store
from shared.store.workspace import WorkspaceStore

log = logging.getLogger(__name__)

_SAID = (SessionStoreKind.MEMORY, SessionStoreKind.SQLITE)
"""What these keep, no other machine sees: that is said when they are opened."""


@dataclass(frozen=True)
class Parts:
    """What stores are made of."""

    store: Callable[[str], WorkspaceStore]
    clock: Clock
    randomness: random.Random


class SessionStores:
    """The stores of a process. One in Firestore is for one workspace; the others hold the sessions of all."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        self._settings, self._parts = settings, parts
        self._lock = threading.Lock()
        self._shared: dict[SessionStoreKind, SessionStore] = {}

    def of(self, workspace: str) -> OwnedSessions:
        """The sessions of a workspace, in the store of the settings."""
        return OwnedSessions(self.open(SessionStoreKind(self._settings.sessions), workspace), workspace)

    def open(self, kind: SessionStoreKind, workspace: str) -> SessionStore:
        """The store of that kind."""
        if kind is SessionStoreKind.FIRESTORE:
            from shared.sessions.firestore import FirestoreShelf

            return Store(FirestoreShelf(self._parts.store(workspace)))
        with self._lock:
            if kind not in self._shared:
                self._shared[kind] = Store(self._shelf(kind))
                if kind in _SAID:
                    log.warning("SESSIONS=%s: %s", kind.value, self._shared[kind].about)
            return self._shared[kind]

    def close(self) -> None:
        """Close what was opened, but for Firestore's client, which is the process's."""
        with self._lock:
            for store in self._shared.values():
                store.close()

    def _shelf(self, kind: SessionStoreKind) -> Shelf:
        if kind is SessionStoreKind.SQLITE:
            from shared.sessions.sqlite import SqliteShelf

            return SqliteShelf(Path(self._settings.sessions_path))
        if kind is SessionStoreKind.AGENT_ENGINE:
            return _agent_engine(self._settings, self._parts)
        from shared.sessions.memory import MemoryShelf

        return MemoryShelf()


def _agent_engine(settings: Settings, parts: Parts) -> Shelf:
    from shared.gateway.transport import build_client
    from shared.sessions.agent_engine.place import FixedToken, Place, Token
    from shared.sessions.agent_engine.rest import Service
    from shared.sessions.agent_engine.shelf import AgentEngineShelf

    if not settings.sessions_engine:  # where SESSIONS is still another one, and sessions are copied here
        raise SettingsError("SESSIONS_ENGINE is not set, and the session store agent-engine needs it")
    *named, engine = settings.sessions_engine.split("/")
    place = Place(
        project=named[1] if named else settings.sessions_project or settings.project,
        location=named[3] if named else settings.sessions_location or settings.location,
        engine=engine,
        base_url=settings.sessions_base_url,
        api=settings.sessions_api,
        author=settings.sessions_author,
        ttl=settings.sessions_ttl,
        operation_seconds=settings.sessions_operation_seconds,
    )
    if settings.sessions_user_id:
        place = place.with_user(settings.sessions_user_id)
    token: Token
    if place.root.startswith("http://"):
        token = FixedToken("local")  # an emulated service: a real token must not go over an open line
    else:
        from shared.gateway.default_token import DefaultToken

        token = DefaultToken()
    return AgentEngineShelf(Service(place, token, parts.clock, parts.randomness, build_client()))
