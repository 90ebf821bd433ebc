"""Who is calling: a person with a bearer token, or one of our own services with an identity token."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from shared.config import Settings
from shared.errors import Forbidden, NotFound, Unauthorized


class Headers(Protocol):
    """Request headers, whatever the case of their names."""

    def get(self, key: str, /) -> str | None:
        """The value of a header."""


@dataclass(frozen=True)
class Principal:
    """Who calls the API; `name` tells tokens apart in logs without giving them away."""

    workspace: str
    name: str


def principal(headers: Headers, settings: Settings) -> Principal:
    """The owner of the bearer token. Raises Unauthorized."""
    digest = hashlib.sha256(_bearer(headers.get("Authorization")).encode(errors="replace")).hexdigest()
    found = None
    for known, workspace in settings.api_tokens.items():
        # Every entry is compared, so that the time taken tells nothing.
        if hmac.compare_digest(digest, known.lower()):
            found = _owner(known, workspace)
    if found is None:
        raise Unauthorized("The token is not known: send Authorization: Bearer with a token of this memex.")
    return found


def feed_secret(caller: Principal, settings: Settings) -> str:
    """What stands in the address of the caller's feed: made from the token, which it does not give away.

    It opens the feed and nothing else, and ends with the token. Raises Unauthorized for a caller without one.
    """
    for known, workspace in settings.api_tokens.items():
        if caller == _owner(known, workspace):
            return _feed_secret(known)
    raise Unauthorized("The token is not known any more.")


def feed_reader(secret: str, settings: Settings) -> Principal:
    """Whose feed has that secret. Raises NotFound, as for any address that is none."""
    found = None
    for known, workspace in settings.api_tokens.items():
        if hmac.compare_digest(secret.encode(errors="replace"), _feed_secret(known).encode()):
            found = _owner(known, workspace)
    if found is None:
        raise NotFound("There is no such feed: take its address from the settings of the page.")
    return found


def _owner(known: str, workspace: str) -> Principal:
    return Principal(workspace, f"token-{known[:8]}")


def _feed_secret(known: str) -> str:
    return hmac.new(known.lower().encode(), b"memex-feed-1", hashlib.sha256).hexdigest()[:40]


def require_internal_caller(headers: Headers, function: str, settings: Settings) -> str:
    """The account that calls a private function; Unauthorized without a token for it, Forbidden for other accounts.

    The signature is not checked and cannot be: IAM in front of a private function verifies the token, its times too,
    and forwards it with the signature removed, whatever its `alg` says. So this must never guard a public function.
    """
    # When both are sent, Cloud Run verifies this one and leaves the other alone.
    claims = _claims(_bearer(headers.get("X-Serverless-Authorization") or headers.get("Authorization")))
    if claims.get("aud") != settings.url_of(function):
        raise Unauthorized(f"The token is meant for another address than {settings.url_of(function)}.")
    email = claims.get("email")
    if (
        not isinstance(email, str)
        or claims.get("email_verified") is False
        or email not in settings.callers_of(function)
    ):
        raise Forbidden(f"This account may not call {function}: name it in the manifest's callers.")
    return email


def _bearer(header: str | None) -> str:
    scheme, _, token = (header or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("There is no token: send the header Authorization: Bearer {token}.")
    return token.strip()


def _claims(token: str) -> Mapping[str, Any]:
    try:
        _, payload, _ = token.split(".")
        claims = json.loads(base64.b64decode(payload.encode() + b"=" * (-len(payload) % 4), b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise Unauthorized("The token is no JSON web token.") from error
    if not isinstance(claims, dict):
        raise Unauthorized("The token is no JSON web token.")
    return claims
