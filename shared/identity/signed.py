"""JSON web tokens that others have signed: whether the signature is that of their issuer, and what they claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from shared.errors import Unauthorized

TOKEN_CHARACTERS = 16_000
"""A longer token is none: headers end there too."""
_SIGNATURE_ALONE: Any = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}
"""Times are judged by our clock, and the rest by who knows what to expect; the library would take the machine's."""


class Keys(Protocol):
    """Where public keys are found."""

    def key(self, url: str, kid: str) -> Any:
        """The key of that id at that address. Raises Unauthorized, Transient."""


class SignedTokens:
    """Tokens signed with RS256 and nothing else; which keys there are, no token's header says."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def claims(self, token: str, keys_url: str) -> Mapping[str, Any]:
        """What a token claims that was signed with a key of that address; times, issuer and audience are unchecked.

        Raises Unauthorized, or Transient while the keys cannot be had.
        """
        import jwt

        if len(token) > TOKEN_CHARACTERS:
            raise Unauthorized("The token is too long for one.")
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") != "RS256" or not isinstance(header.get("kid"), str):
                raise Unauthorized("The token is not signed with RS256 and a named key.")
            key = self._keys.key(keys_url, header["kid"])
            claims = jwt.decode(token, key, algorithms=["RS256"], options=_SIGNATURE_ALONE)
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise Unauthorized("The token's signature is not that of its issuer.") from error
        return dict(claims)
