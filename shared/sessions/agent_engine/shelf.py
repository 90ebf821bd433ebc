"""The shelf over the session service: the first save creates, later ones append an event; the state is never patched.

An append has no precondition: the state is looked at before, and an older version is refused; of two that look at the
same moment the later append stays. An append whose answer was lost is recognised in the state, and never sent blindly.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.contracts.sessions import CheckpointEntry, Retention, SessionStoreKind
from shared.cursors import not_ours
from shared.errors import Transient
from shared.ids import derived
from shared.sessions.agent_engine.ids import resource_id
from shared.sessions.agent_engine.place import ANONYMOUS
from shared.sessions.agent_engine.rest import Lost, Service
from shared.sessions.envelope import head_of, unseal
from shared.sessions.errors import OperationTimeout, StoreRefused, Unread, UnreadableCheckpoint
from shared.sessions.port import PAGE_MAX, Decide, Page, Sealed, Stored

ENVELOPE, SESSION_ID = "memex.envelope", "memex.session_id"
"""The two keys of the state that are ours."""
ROUNDS = 6
"""How often a save looks again: after an answer that was lost, or another instance that created."""


class AgentEngineShelf:
    """Sessions under one reasoning engine."""

    kind = SessionStoreKind.AGENT_ENGINE
    max_bytes = 1_000_000
    """A bound of ours: the service does not publish its own, and takes this."""

    def __init__(self, service: Service) -> None:
        self._service, self._place = service, service.place

    @property
    def where(self) -> str:
        return self._place.parent

    @property
    def about(self) -> str:
        return "Every instance sees every conversation; each turn adds an event to its session, until it is forgotten."

    def read(self, session_id: str) -> Stored | None:
        session = self._session(session_id)
        return None if session is None else self._stored(session_id, session)

    def write(self, sealed: Sealed, decide: Decide) -> None:
        begun, new = self._service.clock.now(), sealed.envelope.version == 1
        for _ in range(ROUNDS):
            session = None if new else self._session(sealed.session_id)
            if session is None:
                if self._created(sealed):
                    return
                new = False
                session = self._session(sealed.session_id)
            if session is None:  # it is being created, or removed, at this moment
                self._wait(begun)
                continue
            stored = self._stored(sealed.session_id, session)
            if not decide(head_of(sealed.session_id, stored.text, stored.owner)):
                return
            if self._appended(sealed):
                return
        raise Transient("The session could not be saved just now: try again.", retry_after_seconds=2.0)

    def remove(self, session_id: str) -> bool:
        try:
            self._service.finished(self._service.delete(_path(session_id)))
        except StoreRefused as error:
            if error.http_status != 404:
                raise
            return False
        return True

    def page(self, owner: str | None, limit: int, cursor: str | None) -> Page:
        user = self._place.user_of(owner)
        query = {"filter": f'user_id="{_quoted(user)}"', "orderBy": "update_time desc"}
        found: list[CheckpointEntry] = []
        token = cursor or ""
        while len(found) < limit:
            wanted = {**query, "pageSize": str(min(PAGE_MAX, limit - len(found)))}
            answer = self._listed({**wanted, "pageToken": token} if token else wanted)
            sessions = answer.get("sessions")
            found += [
                entry
                for one in (sessions if isinstance(sessions, list) else ())
                if isinstance(one, dict) and (entry := self._entry(one, owner)) is not None
            ]
            token = str(answer.get("nextPageToken") or "")
            if not token:
                break
        return Page(tuple(found), token or None)

    def retention(self) -> Retention:
        who, ttl = "The session service", self._place.ttl
        if ttl:
            how = (
                f"SESSIONS_TTL={ttl} is sent when a conversation is first saved. Its end stands then, and later turns "
                "do not move it."
            )
            return Retention(who=who, active=True, seconds=float(ttl.removesuffix("s")), how=how)
        how = (
            "Set SESSIONS_TTL, such as 604800s (24 hours at least): conversations that are first saved after that "
            "expire. Without it the service keeps its own term, which expireTime of the session names."
        )
        return Retention(who=who, active=False, how=how)

    def close(self) -> None:
        self._service.close()

    def _session(self, session_id: str) -> Mapping[str, Any] | None:
        try:
            return self._service.get(_path(session_id))
        except StoreRefused as error:
            if error.http_status != 404:
                raise
            return None

    def _stored(self, session_id: str, session: Mapping[str, Any]) -> Stored:
        """Raises UnreadableCheckpoint for a session that is not one of ours, or another's."""
        state, owner = _state(session), self._said_owner(session)
        if state.get(SESSION_ID, session_id) != session_id:
            raise UnreadableCheckpoint(session_id, "its resource holds another conversation.", owner)
        text = state.get(ENVELOPE)
        if not isinstance(text, str):
            raise UnreadableCheckpoint(session_id, f"its state has no text {ENVELOPE}.", owner)
        return Stored(text, owner)

    def _said_owner(self, session: Mapping[str, Any]) -> str | None:
        """Who would be the owner by the service's metadata, where the user is the owner's own name."""
        user, fixed = session.get("userId"), isinstance(self._place.user_id, str)
        plain = not fixed and isinstance(user, str) and user != ANONYMOUS and self._place.user_of(user) == user
        return user if plain else None

    def _created(self, sealed: Sealed) -> bool:
        """Whether it is created now, and not there already."""
        body: dict[str, Any] = {"userId": self._place.user_of(sealed.envelope.owner), "sessionState": _delta(sealed)}
        if self._place.ttl:
            body["ttl"] = self._place.ttl
        name = resource_id(sealed.session_id)
        try:
            self._service.finished(self._service.post("/sessions", body, repeatable=True, sessionId=name))
        except StoreRefused as error:
            if error.http_status != 409:
                raise
            return False
        return True

    def _appended(self, sealed: Sealed) -> bool:
        """Whether it is in the state now; False when that has to be looked at."""
        event = {
            "author": self._place.author,
            "invocationId": derived("save", sealed.session_id, str(sealed.envelope.version), sealed.head.digest),
            "timestamp": self._service.clock.now().isoformat().replace("+00:00", "Z"),
            "actions": {"stateDelta": _delta(sealed)},
        }
        try:
            self._service.post(f"{_path(sealed.session_id)}:appendEvent", event, repeatable=False)
        except Lost:
            return False
        except StoreRefused as error:
            if error.http_status != 404:  # it has expired, or was forgotten, since it was looked at
                raise
            return False
        return True

    def _wait(self, begun: datetime) -> None:
        if (self._service.clock.now() - begun).total_seconds() >= self._place.operation_seconds:
            raise OperationTimeout("The session is being created or removed, and that does not end: try again.")
        self._service.clock.sleep(self._place.poll_seconds)

    def _listed(self, query: Mapping[str, str]) -> Mapping[str, Any]:
        try:
            return self._service.get("/sessions", **query)
        except StoreRefused as error:
            if error.http_status == 400 and "pageToken" in query:
                raise not_ours() from error
            raise

    def _entry(self, session: Mapping[str, Any], owner: str | None) -> CheckpointEntry | None:
        """None for what is another principal's, or none of ours: the service's user is no permission."""
        state, resource = _state(session), str(session.get("name") or "").rpartition("/")[2]
        text = state.get(ENVELOPE)
        if not isinstance(text, str) or not resource:
            return None
        session_id = str(state.get(SESSION_ID) or resource)
        expires = session.get("expireTime")
        try:
            envelope = unseal(session_id, text, self._said_owner(session))
        except Unread as error:
            return CheckpointEntry(session_id=session_id, owner=owner) if error.owner == owner else None
        if envelope.owner != owner:
            return None
        return CheckpointEntry(
            session_id=session_id,
            owner=owner,
            version=envelope.version,
            saved_at=envelope.saved_at,
            expires_at=_moment(expires),
        )


def _path(session_id: str) -> str:
    return f"/sessions/{resource_id(session_id)}"


def _delta(sealed: Sealed) -> dict[str, str]:
    return {ENVELOPE: sealed.text, SESSION_ID: sealed.session_id}


def _state(session: Mapping[str, Any]) -> Mapping[str, Any]:
    state = session.get("sessionState")
    return state if isinstance(state, dict) else {}


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _moment(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
