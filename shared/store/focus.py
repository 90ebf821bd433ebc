"""workspaces/{workspace}/focus/current: what the person is at. The judge moves it, the distiller describes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from shared.contracts.memory import Focus
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.writes import Snapshot, Write, create, update


class FocusStore:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def find(self) -> Focus | None:
        return _focus_of(self._database.get(paths.focus()))

    def change(self, decide: Callable[[Focus | None], Focus | None], *, point: str) -> bool:
        """Write what `decide` makes of the focus as it is; whether it was written."""

        def decided(current: Snapshot) -> Change | None:
            focus = decide(_focus_of(current))
            return None if focus is None else Change(focus.model_dump())

        return self._changing.change(paths.focus(), decided, point=point).changed

    def look(self) -> tuple[Focus | None, datetime | None]:
        """The focus, and when its document was last written: the condition of `moving`."""
        found = self._database.get(paths.focus())
        return _focus_of(found), found.update_time

    def moving(self, focus: Focus, written_at: datetime | None) -> Write:
        """The write of a focus that has moved since it was looked at, to be committed with the event that says so.

        Whole: a summary of the one before is no summary of this one.
        """
        fields = focus.model_dump()
        return update(paths.focus(), fields, written_at) if written_at is not None else create(paths.focus(), fields)

    def forgetting(self, record_id: str, at: datetime) -> tuple[Write, ...]:
        """The writes that take a record out; a focus that leaned on it alone is none any more, its summary goes.

        A focus that does not name the record is written all the same: whoever is just writing it looks again then,
        and sees that the record is gone.
        """
        found = self._database.get(paths.focus())
        focus = _focus_of(found)
        if focus is None:
            return ()
        changed: dict[str, Any] = {"forgot_at": at}
        if record_id in focus.record_ids:
            left = tuple(one for one in focus.record_ids if one != record_id)
            changed |= {"record_ids": left, "summary": ""} | ({} if left else {"title": "", "active_since": None})
        return (update(found.path, changed, found.update_time),)


def _focus_of(found: Snapshot) -> Focus | None:
    return None if found.fields is None else parsed(Focus, found.fields, found.path)
