"""leases/research-{note}: which operation researches a note, and for which tagging."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.contracts.operations import ResearchClaim
from shared.store import paths
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.writes import Write, create, update


@dataclass(frozen=True)
class HeldClaim:
    """A claim as read; without `update_time` there is no document yet and `claim` is empty."""

    note_id: str
    claim: ResearchClaim
    update_time: datetime | None

    def write(self, claim: ResearchClaim) -> Write:
        """The write that replaces it, and fails if anyone wrote it since it was read."""
        path = paths.claim(self.note_id)
        if self.update_time is None:
            return create(path, claim.model_dump())
        return update(path, claim.model_dump(), self.update_time)


class Claims:
    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, note_id: str) -> HeldClaim:
        """The claim as it is now, empty when there is none. Raises Malformed."""
        found = self._database.get(paths.claim(note_id))
        claim = parsed(ResearchClaim, found.fields or {}, found.path)
        return HeldClaim(note_id, claim, found.update_time if found.fields is not None else None)

    def save(self, held: HeldClaim, claim: ResearchClaim, *, point: str) -> None:
        """Write the claim by itself. Raises Contention when someone was faster."""
        self._database.commit([held.write(claim)], point)
