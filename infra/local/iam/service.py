"""OIDC tokens signed with RS256 and their JWKS page; opaque access tokens; what the front end forwards of a token."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.local.clock import Clock
from infra.local.iam.keys import KeyStore

if TYPE_CHECKING:
    from flask import Blueprint

ISSUER = "https://accounts.google.com"
FIREBASE_ISSUER = "https://securetoken.google.com"
CLIENT_SUFFIX = ".apps.googleusercontent.com"
JWKS_PATH, SIGN_IN_PATH = "/_iam/jwks.json", "/_iam/sign_in"
REMOVED_SIGNATURE = "SIGNATURE_REMOVED_BY_GOOGLE"
ACCESS_TOKEN_PREFIX = "ya29.local-"
ACCESS_TOKEN_SECONDS = 3600


class InvalidToken(Exception):
    """A token that is refused; its message is a sentence that says why."""


class Iam:
    """Mints and verifies tokens. The key lies in `data_dir`, so tokens outlive a restart; expiry is by `clock`."""

    def __init__(self, data_dir: Path, clock: Clock) -> None:
        self._keys = KeyStore(data_dir)
        self._clock = clock

    def id_token(self, email: str, audience: str, lifetime_seconds: int = 3600) -> str:
        """An OIDC token as a service account gets from the metadata server: a JWT signed with RS256."""
        return self._signed(email, {"iss": ISSUER, "aud": audience, "azp": _subject(email)}, lifetime_seconds)

    def person_token(self, email: str, audience: str, lifetime_seconds: int = 3600) -> str:
        """An ID token as a person gets who signs in: with Google to a client id, else with Firebase to a project."""
        if audience.endswith(CLIENT_SUFFIX):
            return self._signed(email, {"iss": ISSUER, "aud": audience, "azp": audience}, lifetime_seconds)
        user = hashlib.sha256(email.encode()).hexdigest()[:28]
        firebase = {"identities": {"email": [email]}, "sign_in_provider": "password"}
        issued = {"iss": f"{FIREBASE_ISSUER}/{audience}", "aud": audience, "auth_time": self._now()}
        return self._signed(email, {**issued, "sub": user, "user_id": user, "firebase": firebase}, lifetime_seconds)

    def verify(self, token: str, audience: str) -> dict[str, Any]:
        """The claims of an OIDC token of this issuer for `audience`, or InvalidToken."""
        claims = self._signed_claims(token)
        if claims.get("iss") != ISSUER:
            raise InvalidToken(f"The token's issuer is {claims.get('iss')!r}, not {ISSUER!r}.")
        if claims.get("aud") != audience:
            raise InvalidToken(f"The token is for audience {claims.get('aud')!r}, not {audience!r}.")
        self._refuse_expired(claims)
        return claims

    def access_token(self, email: str) -> str:
        """An opaque OAuth2 access token, good for an hour; only `verify_access_token` can read it."""
        content = {"email": email, "exp": self._now() + ACCESS_TOKEN_SECONDS}
        body = _encode(json.dumps(content, separators=(",", ":")).encode())
        return f"{ACCESS_TOKEN_PREFIX}{body}.{self._seal(body)}"

    def verify_access_token(self, token: str) -> str:
        """The e-mail address an access token was given to, or InvalidToken."""
        body, dot, seal = token.removeprefix(ACCESS_TOKEN_PREFIX).partition(".")
        if not token.startswith(ACCESS_TOKEN_PREFIX) or not dot:
            raise InvalidToken("This is not an access token of the local cloud.")
        if not hmac.compare_digest(seal.encode(), self._seal(body).encode()):
            raise InvalidToken("The access token was not made by this local cloud, or was changed.")
        content = json.loads(_decode(body))
        self._refuse_expired(content)
        return str(content["email"])

    def strip_signature(self, token: str) -> str:
        """The token as production's front end forwards it to a private function: readable, and of no use elsewhere."""
        parts = token.split(".")
        if len(parts) != 3:
            raise InvalidToken("A JWT has three parts, separated by dots.")
        return ".".join([*parts[:2], REMOVED_SIGNATURE])

    def blueprint(self) -> Blueprint:
        """The JWKS page, at JWKS_PATH, and POST {email, audience} to SIGN_IN_PATH, which signs anybody in."""
        from flask import Blueprint, Response, jsonify, request

        pages = Blueprint("iam", __name__)

        @pages.get(JWKS_PATH)
        def jwks() -> Response:
            answer = jsonify(self._keys.jwks())
            answer.headers["Cache-Control"] = "public, max-age=3600"
            return answer

        @pages.post(SIGN_IN_PATH)
        def sign_in() -> Response | tuple[Response, int]:
            given = request.get_json(silent=True)
            email, audience = (given.get("email"), given.get("audience")) if isinstance(given, dict) else ("", "")
            if not (isinstance(email, str) and email and isinstance(audience, str) and audience):
                return jsonify({"error": {"code": 400, "message": "Send {email, audience}."}}), 400
            answer = jsonify({"id_token": self.person_token(email, audience)})
            answer.headers["Cache-Control"] = "no-store"
            return answer

        return pages

    def _signed(self, email: str, claims: Mapping[str, Any], lifetime_seconds: int) -> str:
        import jwt

        now = self._now()
        whole = {
            "sub": _subject(email),
            "email": email,
            "email_verified": True,
            "iat": now,
            "exp": now + lifetime_seconds,
            **claims,
        }
        return jwt.encode(whole, self._keys.private, algorithm="RS256", headers={"kid": self._keys.key_id})

    def _signed_claims(self, token: str) -> dict[str, Any]:
        import jwt

        # Only the signature is PyJWT's to judge: it reads the system clock, and here time is the Clock's.
        options: Any = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False}
        try:
            claims: dict[str, Any] = jwt.decode(token, self._keys.public, algorithms=["RS256"], options=options)
        except jwt.InvalidAlgorithmError as error:
            raise InvalidToken("The token is not signed with RS256.") from error
        except jwt.InvalidSignatureError as error:
            raise InvalidToken("The token's signature is not by this local cloud.") from error
        except jwt.InvalidTokenError as error:
            raise InvalidToken(f"The token cannot be read: {error}.") from error
        return claims

    def _refuse_expired(self, claims: Mapping[str, Any]) -> None:
        expiry, now = claims.get("exp"), self._now()
        if not isinstance(expiry, int | float):
            raise InvalidToken("The token has no expiry.")
        if expiry <= now:
            raise InvalidToken(f"The token expired {now - expiry:.0f} s ago.")

    def _seal(self, body: str) -> str:
        return _encode(hmac.digest(self._keys.secret("access-token"), body.encode(), "sha256"))

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _subject(email: str) -> str:
    """The stable 21 digits that stand for an account, as Google's `sub` does."""
    return f"1{int(hashlib.sha256(email.encode()).hexdigest(), 16) % 10**20:020d}"


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
