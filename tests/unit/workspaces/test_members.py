"""Who may come into a workspace: one place per address, and never nobody who decides."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from google.cloud.firestore_v1 import Client
from pydantic import ValidationError

from shared.contracts.members import Member, Role, email_of
from shared.errors import Conflict, MemexError, NotFound
from shared.store import paths
from shared.store.members import putting
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from tests.support.seams import FakeClock

ADA, BOB = "ada@example.com", "bob@example.com"


def test_a_role_may_do_what_lesser_ones_may_and_an_operator_nothing_of_it() -> None:
    order = [Role.READER, Role.MEMBER, Role.OWNER]
    assert [[role.may(least) for least in order] for role in order] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert not any(Role.OPERATOR.may(role) or role.may(Role.OPERATOR) for role in order)
    assert Role.OPERATOR.may(Role.OPERATOR)


def test_an_address_is_one_however_it_is_written() -> None:
    assert email_of(" Ada@Example.COM ") == ADA
    for wrong in ("", "ada", "ada@", "@example.com", "a b@example.com", "a@b@c.d", "a@b", "x" * 250 + "@b.cd"):
        with pytest.raises(ValueError, match="address"):
            email_of(wrong)


def test_no_member_is_an_operator(clock: FakeClock) -> None:
    with pytest.raises(ValidationError):
        Member.model_validate({"email": ADA, "role": "operator", "added_at": clock.now()})


def test_a_member_is_let_in_once_and_given_another_role(store: WorkspaceStore, clock: FakeClock) -> None:
    first = store.members.put(ADA, Role.OWNER, "token-1")
    clock.advance(60)
    assert store.members.put(ADA, Role.OWNER, "token-2") == first
    store.members.put(BOB, Role.READER, "token-2")
    changed = store.members.put(BOB, Role.MEMBER, "token-3")
    assert (changed.role, changed.added_by) == (Role.MEMBER, "token-2")
    assert store.members.list() == (first, changed)
    assert (store.members.find(BOB), store.members.find("eve@example.com")) == (changed, None)


def test_a_member_who_was_removed_is_none_any_more(store: WorkspaceStore) -> None:
    store.members.put(ADA, Role.OWNER, "")
    store.members.put(BOB, Role.READER, "")
    store.members.remove(BOB)
    assert [one.email for one in store.members.list()] == [ADA]
    with pytest.raises(NotFound):
        store.members.remove(BOB)


def test_the_last_owner_stays_one(store: WorkspaceStore) -> None:
    store.members.put(ADA, Role.OWNER, "")
    store.members.put(BOB, Role.MEMBER, "")
    with pytest.raises(Conflict, match="last owner"):
        store.members.remove(ADA)
    with pytest.raises(Conflict, match="last owner"):
        store.members.put(ADA, Role.MEMBER, "")
    store.members.put(BOB, Role.OWNER, "")
    store.members.remove(ADA)
    assert [one.email for one in store.members.list()] == [BOB]


def test_two_owners_who_remove_each_other_at_once_leave_one(store: WorkspaceStore) -> None:
    store.members.put(ADA, Role.OWNER, "")
    store.members.put(BOB, Role.OWNER, "")
    refused: list[str] = []

    def removing(email: str) -> Callable[[], None]:
        def remove() -> None:
            try:
                store.members.remove(email)
            except MemexError as error:
                refused.append(error.code)

        return remove

    both = [threading.Thread(target=removing(email)) for email in (ADA, BOB)]
    for one in both:
        one.start()
    for one in both:
        one.join(timeout=30)
    assert refused == ["conflict"]
    assert len(store.members.list()) == 1


def test_a_person_finds_their_workspaces(store: WorkspaceStore, system: SystemStore, clock: FakeClock) -> None:
    email = f"{store.workspace}@example.com"
    assert system.memberships(email) == []
    member = store.members.put(email, Role.READER, "")
    store.members.put(ADA, Role.OWNER, "")
    found = system.memberships(email)
    assert [(one.workspace, one.member) for one in found] == [(store.workspace, member)]


def test_a_document_elsewhere_than_under_its_address_lets_nobody_in(
    store: WorkspaceStore, system: SystemStore, clock: FakeClock, firestore: Client
) -> None:
    email = f"eve-{store.workspace}@example.com"
    hidden = Member(email=email, role=Role.OWNER, added_at=clock.now())
    firestore.document(f"workspaces/{store.workspace}/members/hidden").set(hidden.model_dump())
    assert system.memberships(email) == [] and store.members.list() == ()
    store.members.put(email, Role.READER, "")
    assert [one.member.role for one in system.memberships(email)] == [Role.READER]


def test_the_document_of_a_member_is_named_by_the_address_alone(clock: FakeClock) -> None:
    member = Member(email=ADA, role=Role.READER, added_at=clock.now())
    assert putting(member).path == paths.member(ADA)
    assert "@" not in paths.member(ADA)
