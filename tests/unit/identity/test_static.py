"""Static tokens of people, and the addresses of feeds that hang on them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.contracts.grants import Grant, digest_of
from shared.contracts.members import Role
from shared.errors import Forbidden, NotFound
from shared.identity.principal import Principal, TokenExpired
from shared.identity.static import StaticTokens
from tests.support.seams import FakeClock

CLOCK = FakeClock()
SOON = CLOCK.now() + timedelta(days=7)
NAMED = {
    "old": Grant(digest_of("old"), "demo", Role.OWNER, SOON),
    "new": Grant(digest_of("new"), "demo"),
    "reads": Grant(digest_of("reads"), "demo", Role.READER),
    "other": Grant(digest_of("other"), "w2", Role.MEMBER),
    "runs": Grant(digest_of("runs"), "", Role.OPERATOR),
}


def tokens(after: timedelta = timedelta()) -> StaticTokens:
    clock = FakeClock(CLOCK.now() + after)
    return StaticTokens(tuple(NAMED.values()), clock)


@pytest.mark.parametrize("token", NAMED)
def test_a_token_names_its_workspace_and_role(token: str) -> None:
    grant = NAMED[token]
    assert tokens().owner(token) == Principal(grant.workspace, grant.name, grant.role, grant.valid_until)


@pytest.mark.parametrize("token", ["", "Old", "old ", "olde", digest_of("old"), "old\u00e9", "\ud800", "x" * 100_000])
def test_any_other_token_is_nobodys(token: str) -> None:
    assert tokens().owner(token) is None
    assert StaticTokens((), CLOCK).owner(token) is None


def test_while_a_token_is_rotated_both_are_good_and_then_the_new_one_alone() -> None:
    assert tokens().owner("old") is not None and tokens().owner("new") is not None
    assert tokens(timedelta(days=7, seconds=-1)).owner("old") is not None
    with pytest.raises(TokenExpired) as refused:
        tokens(timedelta(days=7)).owner("old")
    assert refused.value.status == 401 and refused.value.code == "token_expired"
    assert tokens(timedelta(days=7)).owner("new") is not None


def owner_of(token: str) -> Principal:
    found = tokens().owner(token)
    assert found is not None
    return found


def test_the_address_of_a_feed_opens_it_for_reading_alone_and_ends_with_its_token() -> None:
    secret = tokens().feed_secret(owner_of("old"))
    assert tokens().feed_reader(secret) == Principal("demo", NAMED["old"].name, Role.READER, SOON)
    assert "old" not in secret and NAMED["old"].digest[:10] not in secret
    with pytest.raises(NotFound):
        tokens(timedelta(days=8)).feed_reader(secret)
    assert tokens().feed_secret(owner_of("new")) != secret


@pytest.mark.parametrize("secret", ["", "x", "old", NAMED["old"].digest, "\u00e9", "\ud800"])
def test_any_other_address_is_none(secret: str) -> None:
    with pytest.raises(NotFound):
        tokens().feed_reader(secret)


def test_neither_the_operator_nor_who_came_without_a_token_has_a_feed() -> None:
    with pytest.raises(NotFound):
        tokens().feed_reader(tokens().feed_secret(owner_of("runs")))
    with pytest.raises(Forbidden):
        tokens().feed_secret(Principal("demo", "person-1", Role.OWNER))
