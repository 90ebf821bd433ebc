"""workspaces/{workspace}/identity/current: who the person is, in sentences that name the records they rest on."""

from __future__ import annotations

from shared.contracts.memory import Identity
from shared.store import paths
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.writes import Snapshot, Write, put, update


class IdentityStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self) -> Identity | None:
        return _identity_of(self._database.get(paths.identity()))

    def forgetting(self, record_id: str) -> tuple[Write, ...]:
        """The write that takes a record out: sentences that rest on it, alone or with others, go until made anew."""
        found = self._database.get(paths.identity())
        identity = _identity_of(found)
        if identity is None or not any(record_id in one.record_ids for one in identity.statements):
            return ()
        left = [one.model_dump() for one in identity.statements if record_id not in one.record_ids]
        return (update(found.path, {"statements": left}, found.update_time),)


def writing(identity: Identity) -> Write:
    """The whole of it, whatever was there."""
    return put(paths.identity(), identity.model_dump())


def _identity_of(found: Snapshot) -> Identity | None:
    return None if found.fields is None else parsed(Identity, found.fields, found.path)
