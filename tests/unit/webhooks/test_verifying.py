"""What is taken for the service's own, and all that is not."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import jwt
import pytest

from shared.errors import Transient, Unauthorized
from shared.identity.keys import KeyRing
from shared.identity.signed import SignedTokens
from shared.webhooks.verifying import Expected, Verifier
from tests.support.seams import FakeClock
from tests.support.signing import KeyPages, entry, key
from tests.unit.webhooks.signing import ADDRESS, OTHER_SECRET, SECRET, body, by_secret, by_token

KEYS_URL = "https://generativelanguage.googleapis.com/.well-known/jwks.json"


class Bench:
    def __init__(self, *secrets: bytes, audience: str = "") -> None:
        self.clock, self.pages = FakeClock(), KeyPages(entry("one"))
        expected = Expected(secrets or (SECRET,), KEYS_URL, ADDRESS, audience)
        self._verifier = Verifier(expected, SignedTokens(KeyRing(self.clock, self.pages)), self.clock)
        self.check = self._verifier.check


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_hook_of_the_project_is_signed_with_the_secret(bench: Bench) -> None:
    bench.check(by_secret(bench.clock))
    assert bench.pages.asked == []


def test_while_a_secret_is_changed_one_fitting_pair_is_enough() -> None:
    before, after = Bench(SECRET), Bench(OTHER_SECRET, SECRET)
    before.check(by_secret(before.clock, OTHER_SECRET, SECRET))
    after.check(by_secret(after.clock, SECRET))
    after.check(by_secret(after.clock, OTHER_SECRET))


def test_the_signature_covers_id_time_and_body(bench: Bench) -> None:
    good = by_secret(bench.clock)
    later = str(int(good.timestamp) + 1)
    for forged in (replace(good, id="msg_2"), replace(good, timestamp=later), replace(good, body=body("v1_other"))):
        with pytest.raises(Unauthorized):
            bench.check(forged)


@pytest.mark.parametrize(
    "signature", ["", "v1,", "v1,AAAA", "v2,AAAA", "v1 AAAA", "v1,é", "none", "..", "a.b.c", "\x00"]
)
def test_what_is_no_signature_is_refused(bench: Bench, signature: str) -> None:
    with pytest.raises(Unauthorized):
        bench.check(replace(by_secret(bench.clock), signature=signature))


def test_without_a_secret_no_hook_of_a_project_is_taken() -> None:
    bench = Bench()
    verifier = Verifier(Expected((), KEYS_URL, ADDRESS), SignedTokens(KeyRing(bench.clock, bench.pages)), bench.clock)
    with pytest.raises(Unauthorized):
        verifier.check(by_secret(bench.clock, b""))


def test_a_hook_of_a_run_is_signed_with_a_key_that_the_service_shows(bench: Bench) -> None:
    bench.check(by_token(bench.clock))
    bench.check(by_token(bench.clock))
    assert bench.pages.asked == [KEYS_URL]


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "https://evil.example/webhook"},
        {"aud": ["https://evil.example/webhook", "https://other.example"]},
        {"iat": None, "exp": None},
        {"iat": None, "exp": 1},
        {"iat": 1, "exp": 9_999_999_999},
        {"iat": True, "exp": "soon"},
        {"data": {"id": "v1_other"}},
    ],
)
def test_claims_that_do_not_fit_are_refused(bench: Bench, claims: dict[str, Any]) -> None:
    with pytest.raises(Unauthorized):
        bench.check(by_token(bench.clock, **claims))


@pytest.mark.parametrize(
    "claims", [{"aud": None}, {"aud": "a-client-id"}, {"aud": [ADDRESS + "/"]}, {"exp": None}, {"data": None}]
)
def test_what_the_service_does_not_document_is_not_demanded(bench: Bench, claims: dict[str, Any]) -> None:
    bench.check(by_token(bench.clock, **claims))


def test_an_audience_that_is_set_must_be_named() -> None:
    bench = Bench(audience="a-client-id")
    bench.check(by_token(bench.clock, aud="a-client-id"))
    for aud in (ADDRESS, None, "another"):
        with pytest.raises(Unauthorized):
            bench.check(by_token(bench.clock, aud=aud))


def test_a_key_that_the_service_does_not_show_is_asked_for_once_a_minute(bench: Bench) -> None:
    bench.check(by_token(bench.clock))
    for _ in range(5):
        with pytest.raises(Unauthorized):
            bench.check(by_token(bench.clock, "two"))
    assert len(bench.pages.asked) == 1
    bench.clock.advance(61)
    bench.pages.entries.append(entry("two"))
    bench.check(by_token(bench.clock, "two"))
    assert len(bench.pages.asked) == 2


def test_without_the_keys_it_had_better_come_again(bench: Bench) -> None:
    bench.pages.status = 500
    with pytest.raises(Transient):
        bench.check(by_token(bench.clock))


@pytest.mark.parametrize("age", [301.0, -301.0, 86_400.0])
def test_what_is_more_than_five_minutes_off_is_refused(bench: Bench, age: float) -> None:
    for old in (by_secret(bench.clock, age=age), by_token(bench.clock, age=age, exp=9_999_999_999)):
        with pytest.raises(Unauthorized):
            bench.check(old)
    with pytest.raises(Unauthorized):  # a new time on an old token
        bench.check(
            replace(by_token(bench.clock, age=age, exp=9_999_999_999), timestamp=by_secret(bench.clock).timestamp)
        )


@pytest.mark.parametrize("timestamp", ["", "soon", "-1", "1e9", "²", " 1", "9" * 40])
def test_a_time_that_is_none_is_refused(bench: Bench, timestamp: str) -> None:
    with pytest.raises(Unauthorized):
        bench.check(replace(by_secret(bench.clock), timestamp=timestamp))


def test_a_token_made_with_another_algorithm_is_refused_whatever_its_header_says(bench: Bench) -> None:
    claims = {"aud": ADDRESS, "iat": int(bench.clock.now().timestamp())}
    public = json.dumps(entry("one")).encode()
    by_public_key = jwt.encode(claims, base64.b64encode(public), algorithm="HS256", headers={"kid": "one"})
    unsigned = jwt.encode(claims, "", algorithm="none", headers={"kid": "one"})
    longer = jwt.encode(claims, key("one"), algorithm="RS512", headers={"kid": "one"})
    by_secret_of_ours = jwt.encode(claims, SECRET, algorithm="HS256", headers={"kid": "one"})
    for token in (by_public_key, unsigned, longer, by_secret_of_ours):
        with pytest.raises(Unauthorized):
            bench.check(replace(by_token(bench.clock), signature=token))


def test_a_token_has_one_name_however_its_signature_is_spelt(bench: Bench) -> None:
    good = by_token(bench.clock)
    names = bench.check(good)
    for padded in (f"{good.signature}==", f" {good.signature}"):
        assert bench.check(replace(good, signature=padded)) == names
    assert bench.check(by_token(bench.clock, jti="another")) != names


def test_a_token_is_not_taken_where_a_secret_signs_and_the_other_way_round(bench: Bench) -> None:
    good = by_token(bench.clock)
    with pytest.raises(Unauthorized):
        bench.check(replace(good, signature=f"v1,{good.signature}"))
    with pytest.raises(Unauthorized):
        bench.check(replace(good, signature=f"{good.signature} {by_secret(bench.clock, OTHER_SECRET).signature}"))
