"""workspaces/{workspace}/focus/current: what the person is at. The judge moves it, the distiller describes it."""

from __future__ import annotations

from collections.abc import Callable

from shared.contracts.memory import Focus
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.writes import Snapshot, Write, put, update


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

    def moving(self, focus: Focus) -> Write:
        """The write of a focus that has moved, to be committed with the event that says so.

        Whole: a summary of the one before is no summary of this one.
        """
        return put(paths.focus(), focus.model_dump())

    def looked(self, focus: Focus) -> Write:
        """The write that notes how far one looked, and nothing else of a focus that is there."""
        return update(paths.focus(), {"read_to": focus.read_to, "updated_at": focus.updated_at})

    def forgetting(self, record_id: str) -> tuple[Write, ...]:
        """The writes that take a record out; a focus that leaned on it alone is none any more, its summary goes."""
        found = self._database.get(paths.focus())
        focus = _focus_of(found)
        if focus is None or record_id not in focus.record_ids:
            return ()
        left = tuple(one for one in focus.record_ids if one != record_id)
        changed = {"record_ids": left, "summary": ""} | ({} if left else {"title": "", "active_since": None})
        return (update(found.path, changed, found.update_time),)


def _focus_of(found: Snapshot) -> Focus | None:
    return None if found.fields is None else parsed(Focus, found.fields, found.path)
