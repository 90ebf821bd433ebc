"""What a transaction keeps for itself until it ends, where others contend for the same."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from infra.local.firestore.plan import Plan


@dataclass(frozen=True)
class Claim:
    """Documents by name, and every document of the collections that some queries look at."""

    names: frozenset[str] = frozenset()
    plans: tuple[Plan, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.plans)

    def touches(self, names: AbstractSet[str]) -> bool:
        """Whether one of the documents is claimed."""
        if not self.names.isdisjoint(names):
            return True
        collections = {name.rpartition("/")[0] for name in names} if self.plans else ()
        return any(plan.covers(collection) for plan in self.plans for collection in collections)

    def joined(self, other: Claim) -> Claim:
        """Both claims as one."""
        return Claim(self.names | other.names, self.plans + other.plans)

    def overlaps(self, other: Claim) -> bool:
        """Whether a document could be claimed by both."""
        mine, theirs = ({plan.scope_name for plan in claim.plans} for claim in (self, other))
        return bool(mine & theirs) or self.touches(other.names) or other.touches(self.names)
