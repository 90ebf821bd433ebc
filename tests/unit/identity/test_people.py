"""ID tokens: what each must claim, and each reason for which one is refused."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import jwt
import pytest

from shared.errors import Forbidden, MemexError, Unauthorized
from shared.identity.keys import KeyRing
from shared.identity.people import CLOCK_SKEW_SECONDS, People, audience_of
from shared.identity.principal import TokenExpired
from shared.identity.signed import SignedTokens
from tests.support.seams import FakeClock
from tests.support.signing import CLIENT, EMAIL, PROJECT, KeyPages, entry, firebase, google, key, signed

CLOCK = FakeClock()
NOW = int(CLOCK.now().timestamp())
FORMS = (google, firebase)


def people(clock: FakeClock = CLOCK, pages: KeyPages | None = None) -> People:
    ring = KeyRing(clock, pages or KeyPages(entry("one")))
    return People([audience_of(CLIENT), audience_of(PROJECT)], SignedTokens(ring), clock)


@pytest.mark.parametrize("form", FORMS)
def test_a_good_token_names_a_person_and_says_until_when(form: Any) -> None:
    person = people().person(signed(form(CLOCK, email="Ada@Example.COM ")))
    assert person.email == EMAIL and person.expires_at == CLOCK.now() + timedelta(hours=1)
    assert person.name.startswith("person-") and "ada" not in person.name


def test_the_name_of_a_person_stays_and_is_theirs_alone() -> None:
    names = {people().person(signed(form(CLOCK, sub=sub))).name for form in FORMS for sub in ("1", "2")}
    assert len(names) == 4
    other_form = people().person(signed(google(CLOCK, iss="accounts.google.com", sub="1", email="new@example.com")))
    assert other_form.name in names


def test_each_issuers_own_keys_are_asked() -> None:
    pages = KeyPages(entry("one"))
    asking = people(pages=pages)
    for form in FORMS:
        asking.person(signed(form(CLOCK)))
    assert pages.asked == [
        "https://www.googleapis.com/oauth2/v3/certs",
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
    ]


BAD: dict[str, dict[str, Any]] = {
    "another application": {"aud": "2-other.apps.googleusercontent.com"},
    "several applications": {"aud": [CLIENT, PROJECT]},
    "no application": {"aud": None},
    "another issuer": {"iss": "https://evil.example"},
    "an issuer of a like name": {"iss": f"https://securetoken.google.com/{PROJECT}.evil.example"},
    "no issuer": {"iss": None},
    "no end": {"exp": None},
    "an end that is no time": {"exp": str(NOW + 3600)},
    "an end that is true": {"exp": True},
    "an end beyond all time": {"exp": 1e300},
    "no beginning": {"iat": None},
    "made in the future": {"iat": NOW + 300},
    "not good yet": {"nbf": NOW + 300},
    "signed in in the future": {"auth_time": NOW + 300},
    "nobody": {"sub": ""},
    "nobody at all": {"sub": None},
    "somebody without end": {"sub": "x" * 256},
    "a number": {"sub": 7},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("changes", BAD.values(), ids=BAD)
def test_a_token_with_other_claims_is_refused(form: Any, changes: dict[str, Any]) -> None:
    claims = {name: value for name, value in form(CLOCK, **changes).items() if value is not None}
    encoded = jwt.PyJWS().encode(json.dumps(claims).encode(), key("one"), "RS256", headers={"kid": "one"})
    with pytest.raises(Unauthorized) as refused:
        people().person(encoded)
    assert not isinstance(refused.value, TokenExpired)


@pytest.mark.parametrize("iss", ["https://accounts.google.com", f"https://securetoken.google.com/{PROJECT}"])
def test_the_issuer_of_one_kind_speaks_for_no_audience_of_the_other(iss: str) -> None:
    claims = firebase(CLOCK, iss=iss) if "accounts" in iss else google(CLOCK, iss=iss)
    with pytest.raises(Unauthorized):
        people().person(signed(claims))


@pytest.mark.parametrize(
    "changes", [{"email": None}, {"email_verified": False}, {"email_verified": None}, {"email_verified": "true"}]
)
def test_who_has_no_verified_address_is_told_so(changes: dict[str, Any]) -> None:
    with pytest.raises(Forbidden, match="verified"):
        people().person(signed(google(CLOCK, **changes)))


@pytest.mark.parametrize("email", ["", "ada", "ada@", "ada@example.com:x", "a b@example.com", ["ada@example.com"]])
def test_an_address_that_is_none_is_nobodys(email: Any) -> None:
    with pytest.raises(Forbidden):
        people().person(signed(google(CLOCK, email=email)))


def test_clocks_may_differ_by_a_few_seconds_and_no_more() -> None:
    token = signed(google(CLOCK))
    late = FakeClock(CLOCK.now() + timedelta(seconds=3600 + CLOCK_SKEW_SECONDS - 1))
    assert people(late).person(token)
    late.advance(1)
    with pytest.raises(TokenExpired) as refused:
        people(late).person(token)
    assert refused.value.code == "token_expired"
    early = FakeClock(CLOCK.now() - timedelta(seconds=CLOCK_SKEW_SECONDS))
    assert people(early).person(token)
    early.advance(-1)
    with pytest.raises(Unauthorized):
        people(early).person(token)
    assert CLOCK_SKEW_SECONDS <= 10


def encoded(header: dict[str, Any], claims: Any, signature: bytes = b"") -> str:
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def confused() -> str:
    """Signed by HMAC with the public key, for a verifier that takes the algorithm of the token."""
    header = {"alg": "HS256", "kid": "one", "typ": "JWT"}
    return encoded(header, google(CLOCK), b"x" * 32)


def forged(**header: Any) -> str:
    return encoded({"alg": "RS256", "kid": "one", **header}, google(CLOCK), b"x" * 256)


def other_claims() -> str:
    head, _, signature = signed(google(CLOCK)).split(".")
    _, claims, _ = signed(google(CLOCK, email="eve@example.com"), "two").split(".")
    return f"{head}.{claims}.{signature}"


FORGED = {
    "no algorithm": lambda: encoded({"alg": "none", "kid": "one"}, google(CLOCK)),
    "no algorithm in capitals": lambda: encoded({"alg": "NONE", "kid": "one"}, google(CLOCK)),
    "a shared secret": confused,
    "another algorithm of the same key": lambda: jwt.encode(google(CLOCK), key("one"), "RS512", headers={"kid": "one"}),
    "a padding of another kind": lambda: jwt.encode(google(CLOCK), key("one"), "PS256", headers={"kid": "one"}),
    "another key": lambda: jwt.encode(google(CLOCK), key("two"), "RS256", headers={"kid": "one"}),
    "no key": lambda: jwt.encode(google(CLOCK), key("one"), "RS256"),
    "a key of its own": lambda: signed(google(CLOCK), "two", jwk=entry("two")),
    "a key from elsewhere": lambda: signed(google(CLOCK), "two", jku="https://evil.example/keys"),
    "a key in a file": lambda: signed(google(CLOCK), "two", kid="../../../../dev/null"),
    "a key in a table": lambda: signed(google(CLOCK), "two", kid="x' UNION SELECT 'AA"),
    "no signature": lambda: forged().rpartition(".")[0] + ".",
    "a signature removed by IAM": lambda: forged().rpartition(".")[0] + ".SIGNATURE_REMOVED_BY_GOOGLE",
    "a made up signature": forged,
    "what it does not understand": lambda: signed(google(CLOCK), "one", crit=["b64"], b64=False),
    "claims of another token": other_claims,
    "no claims": lambda: encoded({"alg": "RS256", "kid": "one"}, []),
    "without end": lambda: signed(google(CLOCK, more="x" * 20_000)),
    "nested without end": lambda: "e30." + base64.urlsafe_b64encode(b"[" * 9_000).decode() + ".x",
    "not even JSON": lambda: "a.b.c",
    "empty parts": lambda: "..",
}


@pytest.mark.parametrize("make", FORGED.values(), ids=FORGED)
def test_a_token_that_is_not_the_issuers_is_refused(make: Any) -> None:
    pages = KeyPages(entry("one"))
    with pytest.raises(Unauthorized):
        people(pages=pages).person(make())
    assert all("evil" not in url for url in pages.asked)


def test_a_token_of_a_service_account_is_no_persons() -> None:
    """Google signs those with the same keys: only the audience tells them apart, and ours is in no such token."""
    claims = google(CLOCK, aud="https://api-abc.a.run.app", email="wf@p.iam.gserviceaccount.com")
    with pytest.raises(Unauthorized):
        people().person(signed(claims))


def test_keys_that_rotate_are_followed() -> None:
    clock, pages = FakeClock(), KeyPages(entry("one"))
    asking = people(clock, pages)
    asking.person(signed(google(clock)))
    pages.entries.append(entry("two"))
    clock.advance(61)
    assert asking.person(signed(google(clock), "two")) and asking.person(signed(google(clock)))


def test_no_refusal_quotes_the_token() -> None:
    for make in FORGED.values():
        token = make()
        with pytest.raises(MemexError) as refused:
            people().person(token)
        told = f"{refused.value.message} {refused.value.details} {refused.value.__cause__}"
        assert not any(part in told for part in token.split(".") if len(part) > 8)
