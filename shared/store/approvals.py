"""workspaces/{workspace}/approvals: read, list, decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.contracts.approvals import Approval
from shared.errors import NotFound
from shared.store import paths
from shared.store.changing import Change, Changed, Changing
from shared.store.database import Database
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.writes import Snapshot, Write, create, update

DecideApproval = Callable[[Approval], Change | None]


@dataclass(frozen=True)
class HeldApproval:
    """An approval as read, and its document."""

    approval: Approval
    found: Snapshot

    def write(self, changed: Approval, writer: str) -> Write:
        """The write that replaces it, and fails if anyone wrote it since it was read."""
        return update(self.found.path, changed.model_dump() | {"last_writer": writer}, self.found.update_time)

    @property
    def writer(self) -> str:
        """Who wrote it last."""
        return str((self.found.fields or {}).get("last_writer", ""))


class Approvals:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def get(self, approval_id: str) -> Approval:
        """Raises NotFound, Malformed."""
        return self.read(approval_id).approval

    def read(self, approval_id: str) -> HeldApproval:
        """Raises NotFound, Malformed."""
        found = self._database.get(paths.approval(approval_id))
        if found.fields is None:
            raise NotFound(f"There is no approval {approval_id}.")
        return HeldApproval(parsed(Approval, found.fields, found.path), found)

    def list(
        self, *, status: str | None = None, limit: int, cursor: str | None = None
    ) -> tuple[tuple[Approval, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        filters = (("status", "==", status),) if status is not None else ()
        found = self._database.query("approvals", newest_first(filters, limit + 1, cursor))
        page = found[:limit]
        approvals = tuple(well_formed(Approval, page))
        more = len(found) > limit
        return approvals, cursor_of(page[-1].fields or {}, page[-1].id) if more else None

    def change(self, approval_id: str, decide: DecideApproval, *, point: str) -> Changed:
        """`Changing.change` on an approval. Raises NotFound."""

        def known(current: Snapshot) -> Change | None:
            if current.fields is None:
                raise NotFound(f"There is no approval {approval_id}.")
            return decide(parsed(Approval, current.fields, current.path))

        return self._changing.change(paths.approval(approval_id), known, point=point)


def creating(approval: Approval) -> Write:
    """The write of a new approval; to be committed with the marker of the call that proposes it."""
    return create(paths.approval(approval.id), approval.model_dump())
