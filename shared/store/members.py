"""workspaces/{workspace}/members: who may come in.

Every change goes through the workspace's own document, so that of two owners who take each other out at the same
instant one is told that somebody has to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from shared.clock import Clock
from shared.contracts.limits import MEMBERS
from shared.contracts.members import Member, MemberRole, Role
from shared.errors import Conflict, NotFound
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.writes import Snapshot, Write, delete, put

_BY_EMAIL = (("email", "ASCENDING"),)
Others = Mapping[str, Member]


class Members:
    """Addresses are given as contracts.members.email_of makes them."""

    def __init__(self, database: Database, changing: Changing, clock: Clock) -> None:
        self._database, self._changing, self._clock = database, changing, clock

    def find(self, email: str) -> Member | None:
        """Raises Malformed."""
        found = self._database.get(paths.member(email))
        return None if found.fields is None else parsed(Member, found.fields, found.path)

    def list(self) -> tuple[Member, ...]:
        """All of them, by email."""
        return tuple(in_their_places(self._database.query("members", Query(MEMBERS + 1, (), _BY_EMAIL))))

    def put(self, email: str, role: MemberRole, by: str) -> Member:
        """Let a person in, or give them another role; again, it is a no-op.

        Raises Conflict when the last owner would be one no more, or there are too many members.
        """

        def decide(before: Others) -> tuple[Write, ...]:
            was = before.get(email)
            if was is not None and was.role is role:
                return ()
            if was is None and len(before) >= MEMBERS:
                raise Conflict(f"A workspace has at most {MEMBERS} members: remove one first.")
            after = member if was is None else was.model_copy(update={"role": role})
            _with_an_owner(before, {**before, email: after})
            return (putting(after),)

        member = Member(email=email, role=role, added_at=self._clock.now(), added_by=by)
        self._change(decide, "member.put")
        return self.find(email) or member

    def remove(self, email: str) -> None:
        """Raises NotFound, and Conflict for the last owner."""

        def decide(before: Others) -> tuple[Write, ...]:
            if email not in before:
                raise NotFound(f"{email} is no member of this workspace.")
            _with_an_owner(before, {name: one for name, one in before.items() if name != email})
            return (delete(paths.member(email)),)

        self._change(decide, "member.remove")

    def _change(self, decide: Callable[[Others], tuple[Write, ...]], point: str) -> None:
        def decided(_workspace: Snapshot) -> Change | None:
            writes = decide({one.email: one for one in self.list()})
            return Change({"members_changed_at": self._clock.now()}, writes) if writes else None

        self._changing.change("", decided, point=point)


def putting(member: Member) -> Write:
    """The write of a member, whatever was there."""
    return put(paths.member(member.email), member.model_dump())


def in_their_places(found: Iterable[Snapshot]) -> Iterator[Member]:
    """The members among the documents; one that lies elsewhere than under its address, so that nobody could remove
    it, is none."""
    for one in found:
        for member in well_formed(Member, [one]):
            if one.id == paths.member(member.email).rpartition("/")[2]:
                yield member


def _with_an_owner(before: Others, after: Others) -> None:
    """Raises Conflict where there was an owner among the members and is none any more."""
    owned = [any(one.role is Role.OWNER for one in members.values()) for members in (before, after)]
    if owned == [True, False]:
        raise Conflict("This is the last owner: make somebody else an owner first.")
