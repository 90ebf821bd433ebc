"""Which of our own services is calling a private function, by its identity token; people are shared/identity's."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, Protocol

from shared.config import Settings
from shared.errors import Forbidden, Unauthorized


class Headers(Protocol):
    """Request headers, whatever the case of their names."""

    def get(self, key: str, /) -> str | None:
        """The value of a header."""


def require_internal_caller(headers: Headers, function: str, settings: Settings) -> str:
    """The account that calls a private function; Unauthorized without a token for it, Forbidden for other accounts.

    The signature is not checked and cannot be: IAM in front of a private function verifies the token, its times too,
    and forwards it with the signature removed, whatever its `alg` says. So this must never guard a public function.
    """
    # When both are sent, Cloud Run verifies this one and leaves the other alone.
    claims = unverified(bearer(headers.get("X-Serverless-Authorization") or headers.get("Authorization")))
    if not _is_meant(claims.get("aud"), settings.audiences_of(function)):
        raise Unauthorized(f"The token is meant for another address than {settings.url_of(function)}.")
    email = claims.get("email")
    if (
        not isinstance(email, str)
        or claims.get("email_verified") is False
        or email not in settings.callers_of(function)
    ):
        raise Forbidden(f"This account may not call {function}: name it in the manifest's callers.")
    return email


def bearer(header: str | None) -> str:
    """The token in a header Authorization. Raises Unauthorized where there is none."""
    scheme, _, token = (header or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("There is no token: send the header Authorization: Bearer {token}.")
    return token.strip()


def unverified(token: str) -> Mapping[str, Any]:
    """What a JSON web token claims, whoever made it. Raises Unauthorized for what is none."""
    try:
        _, payload, _ = token.split(".")
        claims = json.loads(base64.b64decode(payload.encode() + b"=" * (-len(payload) % 4), b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise Unauthorized("The token is no JSON web token.") from error
    if not isinstance(claims, dict):
        raise Unauthorized("The token is no JSON web token.")
    return claims


def _is_meant(audience: object, addresses: tuple[str, ...]) -> bool:
    """Whether it is one of those addresses, or lies below it: a push names the whole address it is sent to."""
    return isinstance(audience, str) and any(
        audience == address or audience.startswith((f"{address}/", f"{address}?")) for address in addresses
    )
