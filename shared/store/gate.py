"""Whether a workspace may be written: not while it is being deleted, and not after that.

Asked before each commit, by whoever makes it, so that work which is under way when the deletion begins ends there too.
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

from shared.clock import Clock
from shared.errors import WorkspaceClosed
from shared.store import paths
from shared.store.database import Database

GATE_SECONDS = 2.0
"""So long an answer that a workspace is open is believed by a process."""
_KEPT = 1_000


class Closed:
    """One for a process. `database` is the one of all workspaces."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._lock = threading.Lock()
        self._open_until: dict[str, datetime] = {}

    def check(self, workspace: str) -> None:
        """Raises WorkspaceClosed, Transient where nobody can tell."""
        now = self._clock.now()
        with self._lock:
            if self._open_until.get(workspace, now) > now:
                return
        if self._database.get(paths.workspace_deletion(workspace), ("status",)).fields is not None:
            raise WorkspaceClosed(
                f"The workspace {workspace} is deleted, or is to be: nothing is written there any more. "
                f"Until it begins, memex workspace restore {workspace} undoes it.",
                workspace=workspace,
            )
        with self._lock:
            if len(self._open_until) >= _KEPT:
                self._open_until.clear()
            self._open_until[workspace] = now + timedelta(seconds=GATE_SECONDS)
