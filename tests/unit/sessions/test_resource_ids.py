"""A session's id as the service's: what it takes, and that no two ids and no guess meet in one."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.sessions.agent_engine.ids import MOST, resource_id

GRAMMAR = re.compile(r"[a-z]([a-z0-9-]*[a-z0-9])?")
IDS = st.one_of(
    st.text(min_size=1, max_size=80),
    st.text("aA-_b.0", min_size=1, max_size=70),
    st.from_regex(r"[a-z][a-z0-9-]{0,40}(-[a-z2-7]{16})?", fullmatch=True),
)


@settings(max_examples=60, deadline=None)
@given(IDS)
def test_the_service_takes_every_resource_id(session_id: str) -> None:
    resource = resource_id(session_id)
    assert GRAMMAR.fullmatch(resource) and 1 <= len(resource) <= MOST


@settings(max_examples=60, deadline=None)
@given(IDS, IDS)
def test_no_two_ids_are_one_resource(one: str, other: str) -> None:
    assert (resource_id(one) == resource_id(other)) == (one == other)


@settings(max_examples=60, deadline=None)
@given(IDS)
def test_a_folded_id_is_no_alias_of_what_it_was_folded_from(session_id: str) -> None:
    folded = resource_id(session_id)
    if folded != session_id:
        assert resource_id(folded) != folded


def test_an_id_that_the_service_takes_is_left_as_it_is() -> None:
    assert resource_id("chat-1") == "chat-1" and resource_id("a") == "a"
    assert resource_id("x" * 63) == "x" * 63


def test_what_the_folding_loses_a_fingerprint_says() -> None:
    assert re.fullmatch(r"chat-1-[a-z2-7]{16}", resource_id("Chat_1"))
    assert resource_id("Chat_1") != resource_id("chat_1")
    assert resource_id("1").startswith("s-1-") and resource_id("日").startswith("s-")
    assert resource_id("ends-").startswith("ends-")
