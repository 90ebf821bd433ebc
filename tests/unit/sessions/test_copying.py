"""Copying between stores: verified, begun again anywhere, and never over what is newer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from shared.contracts.sessions import CheckpointEnvelope
from shared.errors import Transient
from shared.sessions.copying import GIVE_UP, Copied, Outcome, copy
from shared.sessions.memory import MemoryShelf
from shared.sessions.port import PAGE, Page, Sealed
from shared.sessions.store import Store
from tests.contract.sessions.world import envelope


class Watched(Store):
    """A store that tells of each save and each read before it is made."""

    def __init__(self) -> None:
        self.shelf = MemoryShelf()
        super().__init__(self.shelf)
        self.before: Callable[[str, str], None] = lambda _call, _id: None
        self.listed: list[str | None] = []

    def hydrate(self, session_id: str) -> CheckpointEnvelope | None:
        self.before("hydrate", session_id)
        return super().hydrate(session_id)

    def persist(self, session_id: str, envelope: CheckpointEnvelope) -> None:
        self.before("persist", session_id)
        super().persist(session_id, envelope)

    def list_by_user(self, owner: str | None, *, limit: int = PAGE, cursor: str | None = None) -> Page:
        self.listed.append(cursor)
        return super().list_by_user(owner, limit=limit, cursor=cursor)


def stores(count: int) -> tuple[Watched, Watched]:
    source, target = Watched(), Watched()
    for n in range(1, count + 1):
        source.persist(f"s{n:03}", envelope(n))
    source.persist("other", envelope(1, owner="other"))
    return source, target


def outcomes(copied: list[Copied]) -> Counter[str]:
    return Counter(one.outcome.value for one in copied)


def test_every_conversation_of_the_owner_is_copied_and_looked_at_once_more() -> None:
    source, target = stores(120)
    copied = list(copy(source, target, "demo"))
    assert outcomes(copied) == {"copied": 120, "there": 120}
    assert {one.session_id for one in copied if one.round == 1} == {f"s{n:03}" for n in range(1, 121)}
    assert target.hydrate("s120") == envelope(120) and target.hydrate("other") is None
    assert outcomes(list(copy(source, target, "demo"))) == {"there": 120}


def test_it_goes_on_where_it_was_stopped() -> None:
    source, target = stores(250)
    seen: list[Copied] = []
    for one in copy(source, target, "demo"):
        seen.append(one)
        if len(seen) == 230:
            break
    again = list(copy(source, target, "demo", cursor=seen[-1].cursor))
    first = [one for one in again if one.round == 1]
    assert seen[-1].cursor and len(first) == 50 and outcomes(first) == {"there": 30, "copied": 20}
    assert outcomes([one for one in again if one.round == 2]) == {"there": 250}, "all are looked at before it ends"


def test_what_is_saved_while_it_runs_is_copied_too() -> None:
    source, target = stores(3)
    late = iter([1])

    def meanwhile(call: str, session_id: str) -> None:
        if call == "persist" and next(late, 0):
            source.persist("s002", envelope(900))

    target.before = meanwhile
    list(copy(source, target, "demo"))
    assert target.hydrate("s002") == envelope(900) and target.hydrate("s001") == envelope(1)


def test_what_is_newer_there_stays() -> None:
    source, target = stores(2)
    target.persist("s001", envelope(9))
    target.persist("s002", envelope(2, by="another"))
    copied = list(copy(source, target, "demo"))
    assert outcomes(copied) == {"newer": 2} and "version 9" in copied[-1].message + copied[0].message
    assert target.hydrate("s001") == envelope(9) and target.hydrate("s002") == envelope(2, by="another")


def test_one_that_another_saves_at_the_same_moment_stays() -> None:
    source, target = stores(1)
    fast = iter([1])

    def faster(call: str, session_id: str) -> None:
        if call == "persist" and next(fast, 0):
            Store.persist(target, session_id, envelope(5))

    target.before = faster
    assert outcomes(list(copy(source, target, "demo"))) == {"newer": 1}


def test_one_that_cannot_be_read_is_told_and_the_others_are_copied() -> None:
    source, target = stores(3)
    kept = source.shelf._kept["s002"]
    source.shelf._kept["s002"] = Sealed("s002", kept.envelope, '{"format":"memex.checkpoint/9"}', kept.head)
    copied = list(copy(source, target, "demo"))
    (failed,) = (one for one in copied if one.outcome is Outcome.FAILED and one.round == 1)
    assert failed.session_id == "s002" and "memex.checkpoint/9" in failed.message
    assert target.hydrate("s001") and target.hydrate("s003") and target.hydrate("s002") is None


def test_one_that_is_forgotten_meanwhile_is_gone() -> None:
    source, target = stores(1)
    source.before = lambda call, session_id: source.shelf.remove(session_id) if call == "hydrate" else None  # type: ignore[assignment,return-value]
    assert outcomes(list(copy(source, target, "demo"))) == {"gone": 1}


def test_a_copy_that_does_not_read_back_is_a_failure() -> None:
    source, target = stores(1)
    reads = iter(range(9))

    def lossy(call: str, session_id: str) -> None:
        if call == "hydrate" and next(reads) == 1:
            target.shelf.remove(session_id)

    target.before = lossy
    first = next(copy(source, target, "demo"))
    assert first.outcome is Outcome.FAILED and "does not read back" in first.message


def test_a_store_that_is_away_ends_it_with_what_it_had_said() -> None:
    source, target = stores(10)

    def away(call: str, session_id: str) -> None:
        raise Transient("Away.")

    target.before = away
    going, seen = copy(source, target, "demo"), list[Copied]()
    with pytest.raises(Transient, match="does not answer: Away"):
        while True:
            seen.append(next(going))
    assert len(seen) == GIVE_UP


def test_several_are_copied_at_once_and_told_in_order() -> None:
    source, target = stores(30)
    copied = list(copy(source, target, "demo", workers=4))
    assert [one.session_id for one in copied if one.round == 1] == [f"s{n:03}" for n in range(30, 0, -1)]
    assert outcomes(copied) == {"copied": 30, "there": 30}
