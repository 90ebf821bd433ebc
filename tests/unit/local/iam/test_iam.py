"""Tokens of the local cloud: what is in them, and each reason for which one is refused."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import flask
import jwt
import pytest

from infra.local.clock import VirtualClock
from infra.local.iam import ISSUER, JWKS_PATH, REMOVED_SIGNATURE, SIGN_IN_PATH, Iam, InvalidToken

EMAIL = "worker@memex-local.iam.gserviceaccount.com"
AUDIENCE = "https://research-abc.a.run.app"


@pytest.fixture(scope="module")
def key_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("iam")


@pytest.fixture
def clock() -> Iterator[VirtualClock]:
    clock = VirtualClock()
    yield clock
    clock.close()


@pytest.fixture
def iam(key_dir: Path, clock: VirtualClock) -> Iam:
    return Iam(key_dir, clock)


def advance(clock: VirtualClock, seconds: float) -> None:
    clock.call_later(seconds, lambda: None, "advance")
    clock.run_until(lambda: False, limit=timedelta(seconds=seconds))


def encode(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def signed(iam: Iam, **changes: Any) -> str:
    """A token with the local cloud's own signature and other claims."""
    claims = {**iam.verify(iam.id_token(EMAIL, AUDIENCE), AUDIENCE), **changes}
    kept = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(kept, iam._keys.private, algorithm="RS256")


def test_an_id_token_carries_the_claims_of_google(iam: Iam, clock: VirtualClock) -> None:
    claims = iam.verify(iam.id_token(EMAIL, AUDIENCE, lifetime_seconds=600), AUDIENCE)
    assert claims["iss"] == ISSUER
    assert (claims["aud"], claims["email"], claims["email_verified"]) == (AUDIENCE, EMAIL, True)
    assert claims["exp"] - claims["iat"] == 600
    assert claims["iat"] == int(clock.now().timestamp())
    assert claims["sub"].isdigit() and len(claims["sub"]) == 21


def test_the_subject_is_stable_for_an_address_and_differs_between_addresses(iam: Iam) -> None:
    def subject(email: str) -> Any:
        return iam.verify(iam.id_token(email, AUDIENCE), AUDIENCE)["sub"]

    assert subject(EMAIL) == subject(EMAIL) != subject("other@example.com")


def test_a_token_of_another_key_is_refused(iam: Iam, clock: VirtualClock, tmp_path: Path) -> None:
    stranger = Iam(tmp_path, clock)
    with pytest.raises(InvalidToken, match="signature is not by this local cloud"):
        iam.verify(stranger.id_token(EMAIL, AUDIENCE), AUDIENCE)


def test_a_token_with_changed_claims_is_refused(iam: Iam) -> None:
    head, _, seal = iam.id_token(EMAIL, AUDIENCE).split(".")
    forged = encode({"iss": ISSUER, "aud": AUDIENCE, "email": "root@example.com", "exp": 2**33})
    with pytest.raises(InvalidToken, match="signature"):
        iam.verify(f"{head}.{forged}.{seal}", AUDIENCE)


def test_algorithm_none_is_refused(iam: Iam) -> None:
    body = iam.id_token(EMAIL, AUDIENCE).split(".")[1]
    with pytest.raises(InvalidToken, match="not signed with RS256"):
        iam.verify(f"{encode({'alg': 'none', 'typ': 'JWT'})}.{body}.", AUDIENCE)


def test_a_symmetric_signature_is_refused(iam: Iam) -> None:
    with pytest.raises(InvalidToken, match="not signed with RS256"):
        iam.verify(jwt.encode({"iss": ISSUER, "aud": AUDIENCE}, "k" * 32, algorithm="HS256"), AUDIENCE)


def test_a_token_for_another_audience_is_refused(iam: Iam) -> None:
    with pytest.raises(InvalidToken, match="is for audience"):
        iam.verify(iam.id_token(EMAIL, "https://elsewhere.example"), AUDIENCE)


def test_a_token_expires_by_the_given_clock(iam: Iam, clock: VirtualClock) -> None:
    token = iam.id_token(EMAIL, AUDIENCE, lifetime_seconds=60)
    advance(clock, 58)
    iam.verify(token, AUDIENCE)
    advance(clock, 3)
    with pytest.raises(InvalidToken, match="expired"):
        iam.verify(token, AUDIENCE)


def test_a_token_of_another_issuer_is_refused(iam: Iam) -> None:
    with pytest.raises(InvalidToken, match="issuer is 'https://evil.example'"):
        iam.verify(signed(iam, iss="https://evil.example"), AUDIENCE)


def test_a_token_without_expiry_is_refused(iam: Iam) -> None:
    with pytest.raises(InvalidToken, match="no expiry"):
        iam.verify(signed(iam, exp=None), AUDIENCE)


@pytest.mark.parametrize("text", ["", "nonsense", "a.b.c", "ya29.local-x"])
def test_what_is_no_token_is_refused(iam: Iam, text: str) -> None:
    with pytest.raises(InvalidToken):
        iam.verify(text, AUDIENCE)


def test_a_stripped_token_can_be_read_but_not_verified(iam: Iam) -> None:
    token = iam.id_token(EMAIL, AUDIENCE)
    stripped = iam.strip_signature(token)
    assert stripped == f"{token.rsplit('.', 1)[0]}.{REMOVED_SIGNATURE}"
    assert jwt.decode(stripped, options={"verify_signature": False, "verify_exp": False, "verify_aud": False})
    with pytest.raises(InvalidToken):
        iam.verify(stripped, AUDIENCE)
    with pytest.raises(InvalidToken, match="three parts"):
        iam.strip_signature("opaque")


def test_tokens_outlive_a_restart(iam: Iam, key_dir: Path, clock: VirtualClock) -> None:
    identity, access = iam.id_token(EMAIL, AUDIENCE), iam.access_token(EMAIL)
    again = Iam(key_dir, clock)
    assert again.verify(identity, AUDIENCE)["email"] == EMAIL
    assert again.verify_access_token(access) == EMAIL


def test_two_that_make_the_key_at_once_agree_on_it(tmp_path: Path, clock: VirtualClock) -> None:
    both = [Iam(tmp_path, clock), Iam(tmp_path, clock)]
    tokens: list[str] = []
    threads = [threading.Thread(target=lambda i=i: tokens.append(i.access_token(EMAIL))) for i in both]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [iam.verify_access_token(token) for iam in both for token in tokens] == [EMAIL] * 4


def test_the_key_is_readable_by_its_owner_alone(iam: Iam, key_dir: Path) -> None:
    iam.id_token(EMAIL, AUDIENCE)
    (path,) = key_dir.iterdir()
    assert path.stat().st_mode & 0o077 == 0


def test_an_access_token_is_opaque_and_names_its_owner(iam: Iam) -> None:
    token = iam.access_token(EMAIL)
    assert token.startswith("ya29.local-") and EMAIL not in token
    assert iam.verify_access_token(token) == EMAIL


def test_a_changed_or_foreign_access_token_is_refused(iam: Iam, clock: VirtualClock, tmp_path: Path) -> None:
    body, seal = iam.access_token(EMAIL).split("local-")[1].split(".")
    other = encode({"email": "root@example.com", "exp": 2**33})
    for token in (f"ya29.local-{other}.{seal}", f"ya29.local-{body}.é", Iam(tmp_path, clock).access_token(EMAIL)):
        with pytest.raises(InvalidToken, match="not made by this local cloud"):
            iam.verify_access_token(token)
    for token in ("", "owner", "ya29.local-nodot", iam.id_token(EMAIL, AUDIENCE)):
        with pytest.raises(InvalidToken, match="not an access token"):
            iam.verify_access_token(token)


def test_an_access_token_expires_after_an_hour(iam: Iam, clock: VirtualClock) -> None:
    token = iam.access_token(EMAIL)
    advance(clock, 3601)
    with pytest.raises(InvalidToken, match="expired"):
        iam.verify_access_token(token)


def test_the_jwks_page_verifies_a_token(iam: Iam) -> None:
    app = flask.Flask(__name__)
    app.register_blueprint(iam.blueprint())
    token = iam.id_token(EMAIL, AUDIENCE)
    page = app.test_client().get(JWKS_PATH).get_json()
    key = jwt.PyJWKSet.from_dict(page)[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(
        token, key, algorithms=["RS256"], audience=AUDIENCE, options={"verify_iat": False, "verify_exp": False}
    )
    assert claims["email"] == EMAIL
    assert set(page["keys"][0]) == {"kty", "alg", "use", "kid", "n", "e"}


@pytest.mark.parametrize(
    ("audience", "issuer"),
    [("1-a.apps.googleusercontent.com", ISSUER), ("my-project", "https://securetoken.google.com/my-project")],
)
def test_whoever_signs_in_gets_a_token_of_google_or_of_firebase(iam: Iam, audience: str, issuer: str) -> None:
    app = flask.Flask(__name__)
    app.register_blueprint(iam.blueprint())
    answer = app.test_client().post(SIGN_IN_PATH, json={"email": "ada@example.com", "audience": audience})
    claims = jwt.decode(answer.get_json()["id_token"], options={"verify_signature": False})
    assert (claims["iss"], claims["aud"], claims["email"]) == (issuer, audience, "ada@example.com")
    assert claims["email_verified"] is True and claims["exp"] - claims["iat"] == 3600 and claims["sub"]
    for wrong in ({}, [], {"email": "ada@example.com"}, {"email": 1, "audience": audience}):
        assert app.test_client().post(SIGN_IN_PATH, json=wrong).status_code == 400


def test_importing_does_not_load_the_cryptography() -> None:
    check = "import sys, infra.local.iam; sys.exit(any(m in sys.modules for m in ('cryptography', 'jwt', 'flask')))"
    assert subprocess.run([sys.executable, "-c", check], timeout=30).returncode == 0
