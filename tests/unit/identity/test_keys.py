"""The keys of issuers: how long they are kept, and how often they are asked for."""

from __future__ import annotations

from typing import Any

import pytest

from shared.errors import Transient, Unauthorized
from shared.identity.keys import KeyRing
from tests.support.seams import FakeClock
from tests.support.signing import KeyPages, entry, key

URL = "https://keys.example/certs"


def test_a_page_is_kept_for_as_long_as_it_says() -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"), cache_control="public, max-age=600, must-revalidate", age="100")
    ring = KeyRing(clock, pages)
    found = ring.key(URL, "one")
    assert found.public_numbers() == key("one").public_key().public_numbers()
    clock.advance(499)
    ring.key(URL, "one")
    assert len(pages.asked) == 1
    clock.advance(2)
    ring.key(URL, "one")
    assert pages.asked == [URL, URL]


@pytest.mark.parametrize(("said", "seconds"), [("no-store", 3600), ("max-age=0", 60), ("max-age=999999999", 86_400)])
def test_how_long_is_bounded(said: str, seconds: int) -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"), cache_control=said)
    ring = KeyRing(clock, pages)
    ring.key(URL, "one")
    clock.advance(seconds - 1)
    ring.key(URL, "one")
    assert len(pages.asked) == 1
    clock.advance(1)
    ring.key(URL, "one")
    assert len(pages.asked) == 2


def test_a_new_key_is_found_within_a_minute_and_an_old_one_ends() -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"))
    ring = KeyRing(clock, pages)
    ring.key(URL, "one")
    pages.entries[:] = [entry("two")]
    with pytest.raises(Unauthorized):
        ring.key(URL, "two")
    clock.advance(60)
    assert ring.key(URL, "two").key_size == 2048
    with pytest.raises(Unauthorized):
        ring.key(URL, "one")


def test_who_invents_keys_has_the_page_fetched_once_a_minute_at_most() -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"))
    ring = KeyRing(clock, pages)
    for number in range(200):
        with pytest.raises(Unauthorized):
            ring.key(URL, f"../{number}")
        clock.advance(1)
    assert len(pages.asked) == 4


def test_while_the_page_is_away_known_keys_go_on_and_others_are_told_to_come_again() -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"))
    ring = KeyRing(clock, pages)
    ring.key(URL, "one")
    clock.advance(120)
    pages.status = 500
    for _ in range(10):
        with pytest.raises(Transient) as refused:
            ring.key(URL, "two")
        ring.key(URL, "one")
    assert refused.value.status == 503 and len(pages.asked) == 2
    clock.advance(3600)
    with pytest.raises(Transient):
        ring.key(URL, "one")
    pages.status = 200
    clock.advance(5)
    ring.key(URL, "one")


@pytest.mark.parametrize("raw", [b"<html>", b"[]", b'{"keys": []}', b'{"keys": 1}', b"\xff", b"[" * 100_000, b"{}"])
def test_a_page_that_is_no_key_set_is_as_good_as_none(raw: bytes) -> None:
    pages = KeyPages()
    pages.raw = raw
    with pytest.raises(Transient):
        KeyRing(FakeClock(), pages).key(URL, "one")


def test_a_page_without_end_is_not_read() -> None:
    pages = KeyPages()
    pages.raw = b" " * 1_000_000
    with pytest.raises(Transient):
        KeyRing(FakeClock(), pages).key(URL, "one")


@pytest.mark.parametrize(
    "bad",
    [
        {"alg": "RS512"},
        {"use": "enc"},
        {"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"},
        {"n": None},
        {"kty": None},
        entry("short", 1024, kid="bad"),
    ],
)
def test_a_key_that_is_weak_or_for_something_else_is_none(bad: dict[str, Any]) -> None:
    ring = KeyRing(FakeClock(), KeyPages(entry("one"), entry("one") | {"kid": "bad"} | bad))
    with pytest.raises(Unauthorized):
        ring.key(URL, "bad")
