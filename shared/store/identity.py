"""workspaces/{workspace}/identity/current: who the person is, in sentences that name the records they rest on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shared.contracts.memory import Identity
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.writes import Snapshot, Write, update


class IdentityStore:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def find(self) -> Identity | None:
        return _identity_of(self._database.get(paths.identity()))

    def change(self, decide: Callable[[Identity | None], Identity | None], *, point: str) -> bool:
        """Write what `decide` makes of the identity as it is; whether it was written."""

        def decided(current: Snapshot) -> Change | None:
            identity = decide(_identity_of(current))
            return None if identity is None else Change(identity.model_dump())

        return self._changing.change(paths.identity(), decided, point=point).changed

    def forgetting(self, record_id: str, at: datetime) -> tuple[Write, ...]:
        """The write that takes a record out: sentences that rest on it, alone or with others, go until made anew.

        An identity that does not name the record is written all the same, as the focus is.
        """
        found = self._database.get(paths.identity())
        identity = _identity_of(found)
        if identity is None:
            return ()
        left = [one.model_dump() for one in identity.statements if record_id not in one.record_ids]
        return (update(found.path, {"statements": left, "forgot_at": at}, found.update_time),)


def _identity_of(found: Snapshot) -> Identity | None:
    return None if found.fields is None else parsed(Identity, found.fields, found.path)
