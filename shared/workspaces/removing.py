"""What lies in a workspace is taken away, a slice at a time, and each may be repeated.

In order: checkpoints outside, documents, files, the archive of traces. The members go last, so that they can watch.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from shared.archive.names import ROOT, is_of
from shared.faultpoint import faultpoint
from shared.gateway.objects import Objects
from shared.store.deletions import HeldDeletion
from shared.workspaces.ports import Ports

_SESSIONS = 50
_FILES = 500
_DELETERS = 16
_LAST = frozenset({"members"})

PHASES = ("sessions", "documents", "files", "archive")
"""The parts, in order; an unknown one of another version counts as the first."""


class Removing:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def some(self, held: HeldDeletion, phase: str) -> HeldDeletion | None:
        """A slice of the phase: the deletion after it, None where nothing of it is left.

        Raises Contention when another works on the same deletion.
        """
        parts = {"documents": self._documents, "files": self._files, "archive": self._archive}
        return parts.get(phase, self._sessions)(held)

    def _sessions(self, held: HeldDeletion) -> HeldDeletion | None:
        workspace = held.deletion.workspace
        for store in self._ports.session_stores(workspace):
            found = store.list_by_user(workspace, limit=_SESSIONS).entries
            removed = sum(store.forget(one.session_id) for one in found)
            if removed:
                return self._counted(held, "sessions", held.deletion.sessions + removed)
        return None

    def _documents(self, held: HeldDeletion) -> HeldDeletion | None:
        found = self._ports.deletions().below(held.deletion.workspace, apart=_LAST)
        return self._ports.deletions().remove(held, found, {"updated_at": self._ports.now()}) if found else None

    def _files(self, held: HeldDeletion) -> HeldDeletion | None:
        return self._objects(held, lambda files: (one.name for one in files.list(folder(held.deletion.workspace))))

    def _archive(self, held: HeldDeletion) -> HeldDeletion | None:
        return self._objects(held, lambda files: archived(files, held.deletion.workspace))

    def _objects(self, held: HeldDeletion, named: Callable[[Objects], Iterator[str]]) -> HeldDeletion | None:
        if self._ports.files is None:
            return None
        files = self._ports.files()
        names = list(itertools.islice(named(files), _FILES))
        if not names:
            return None
        with ThreadPoolExecutor(_DELETERS) as pool:
            list(pool.map(files.delete, names))
        faultpoint("after_call:workspace.objects")
        return self._counted(held, "files", held.deletion.files + len(names))

    def _counted(self, held: HeldDeletion, name: str, number: int) -> HeldDeletion:
        return self._ports.deletions().advance(held, {name: number, "updated_at": self._ports.now()})


def folder(workspace: str) -> str:
    """Below it lies every object of a workspace but for its archive of traces."""
    return f"workspaces/{workspace}"


def archived(files: Objects, workspace: str) -> Iterator[str]:
    """The names of all that the archive has of a workspace."""
    days = [ROOT]
    for _ in ("year", "month", "day"):
        days = [found for one in days for found in files.beneath(one).folders]
    for day in days:
        beneath = files.beneath(day)
        yield from (one.name for one in beneath.objects if is_of(one.name, workspace))
        if f"{day}/{workspace}" in beneath.folders:
            yield from (one.name for one in files.list(f"{day}/{workspace}"))
