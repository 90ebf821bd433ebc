"""workspace_deletions/{workspace}, and what the deletion of a workspace does to the documents below it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.clock import Clock
from shared.contracts.workspace_deletions import WorkspaceDeletion
from shared.contracts.workspaces import Workspace
from shared.errors import Conflict, InputError, NotFound
from shared.ids import IdSource
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.errors import Contention
from shared.store.writes import Snapshot, Write, create, delete, update

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client

SLICE = 300
"""Documents that one commit takes away; fewer where the service finds that too much at once."""
_LEAST = 10
_LOOKED_INTO = 20
"""Documents of a collection that are looked into for what hangs below: each that is shown has something there."""
_BY_NAME = (("__name__", "ASCENDING"),)


@dataclass(frozen=True)
class HeldDeletion:
    """A deletion as read; what is written on it fails when anyone wrote it since."""

    deletion: WorkspaceDeletion
    update_time: datetime


Decide = Callable[[WorkspaceDeletion | None, datetime], Mapping[str, Any] | None]
"""What is there and the server's time; the fields to set, or None."""


class Deletions:
    """Over all workspaces; for whoever deletes one, and for nobody else."""

    def __init__(self, client: Client, clock: Clock, randomness: random.Random, ids: IdSource) -> None:
        self._database = Database(client, "", clock, randomness)
        self._changing = Changing(self._database, clock, ids)

    def find(self, workspace: str) -> WorkspaceDeletion | None:
        """Raises Malformed, InputError for a name that is no id."""
        return _of(self._database.get(paths.workspace_deletion(workspace)))

    def held(self, workspace: str) -> HeldDeletion:
        """Raises NotFound where none is asked for, or it was undone."""
        found = self._database.get(paths.workspace_deletion(workspace))
        deletion = _of(found)
        if deletion is None or found.update_time is None:
            raise NotFound(f"The workspace {workspace} is not to be deleted.")
        return HeldDeletion(deletion, found.update_time)

    def change(self, workspace: str, decide: Decide, *, point: str) -> WorkspaceDeletion | None:
        """`Changing.change` on a deletion; what is there after it."""

        def decided(current: Snapshot) -> Change | None:
            fields = decide(_of(current), current.read_time)
            return None if fields is None else Change(fields)

        path = paths.workspace_deletion(workspace)
        changed = self._changing.change(path, decided, point=point)
        return None if changed.fields is None else parsed(WorkspaceDeletion, changed.fields, path)

    def advance(self, held: HeldDeletion, fields: Mapping[str, Any], also: Sequence[Write] = ()) -> HeldDeletion:
        """Set fields, with other writes, in one commit. Raises Contention when anyone wrote it since."""
        path = paths.workspace_deletion(held.deletion.workspace)
        moment = self._database.commit((update(path, fields, held.update_time), *also), "workspace.slice")
        return HeldDeletion(held.deletion.model_copy(update=dict(fields)), moment)

    def undo(self, held: HeldDeletion) -> None:
        """Take the deletion itself back. Raises Contention when anyone wrote it since."""
        path = paths.workspace_deletion(held.deletion.workspace)
        self._database.commit((delete(path, held.update_time),), "workspace.restore")

    def exists(self, workspace: str) -> bool:
        """Whether there is a workspace of that name: a document of its own, or anything below it."""
        path = paths.workspace(workspace)
        return self._database.get(path).fields is not None or bool(self._database.collection_ids(path))

    def create(self, workspace: str, fields: Workspace, members: Sequence[Write]) -> None:
        """A new workspace with its first members, given as Members give their writes. Raises Conflict for one that is
        there; the record of an earlier one of that name goes."""
        path = paths.workspace(workspace)
        within = [replace(one, path=f"{path}/{one.path}") for one in members]
        writes = (create(path, fields.model_dump()), *within, delete(paths.workspace_deletion(workspace)))
        try:
            self._database.commit(writes, "workspace.create")
        except Contention as error:
            raise Conflict(f"There is a workspace {workspace} already.") from error

    def several(self, names: Sequence[str]) -> list[tuple[str, Workspace, WorkspaceDeletion | None]]:
        """Workspaces and their deletions, in the order asked. One that is malformed is shown as if it said nothing."""
        both = [path for name in names for path in (paths.workspace(name), paths.workspace_deletion(name))]
        found = self._database.get_all(both) if both else []
        pairs = zip(names, found[::2], found[1::2], strict=True)
        return [
            (name, next(well_formed(Workspace, [its]), Workspace()), _of(deletion)) for name, its, deletion in pairs
        ]

    def due(self, now: datetime, limit: int = 50) -> list[WorkspaceDeletion]:
        """Those that are to be looked at by then, the longest waiting first."""
        query = Query(limit, (("look_at", "<=", now),), (("look_at", "ASCENDING"),))
        return list(well_formed(WorkspaceDeletion, self._database.query("workspace_deletions", query)))

    def below(self, workspace: str, *, apart: frozenset[str] = frozenset()) -> list[str]:
        """Paths of some documents below the workspace; none only where there are none.

        The names of collections are asked for, never known: what a later version keeps is found too. Documents in the
        collections `apart` are left out. A document that was taken away before what hangs below it is still shown as
        the parent of that.
        """
        seen, parents = set(apart), [f"workspaces/{workspace}"]
        root = parents[0]
        while parents:
            level: list[str] = []
            for parent in parents:
                for name in self._database.collection_ids(parent):
                    if name not in seen:
                        seen.add(name)
                        found = self._database.query_below(root, name, Query(SLICE, (), _BY_NAME, fields=("__name__",)))
                        if found:
                            return [one.path for one in found]
                    if name not in apart:
                        collection = f"{parent}/{name}"
                        ids = self._database.children(collection, _LOOKED_INTO)
                        level += [f"{collection}/{one}" for one in ids]
            parents = level
        return []

    def remove(self, held: HeldDeletion, found: Sequence[str], fields: Mapping[str, Any]) -> HeldDeletion:
        """Take the documents away and count them, in commits that are together or not at all. Raises Contention.

        `fields` are set besides. How much a commit may hold depends on the documents' indexes: too much is halved.
        """
        size, left = len(found), list(found)
        while left:
            batch = left[:size]
            counted = {**fields, "documents": held.deletion.documents + len(batch)}
            try:
                held = self.advance(held, counted, [delete(path) for path in batch])
            except InputError:
                if size <= _LEAST:
                    raise
                size //= 2
                continue
            left = left[size:]
        return held


def _of(found: Snapshot) -> WorkspaceDeletion | None:
    return None if found.fields is None else parsed(WorkspaceDeletion, found.fields, found.path)
