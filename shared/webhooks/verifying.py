"""Whether a webhook is the service's own. It signs in two ways, and neither is taken for the other.

Hooks of the whole project are signed as Standard Webhooks has it: HMAC-SHA256 of id, time and body with a secret that
both know. Those of a single run carry a token (RS256) whose key the service publishes. What the token claims is hardly
documented (ai.google.dev/gemini-api/docs/webhooks, June 2026): docs/decisions/2026-12-01-early-wake.md says what is
asked of it.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.clock import Clock
from shared.errors import Unauthorized
from shared.identity.signed import SignedTokens
from shared.webhooks.delivery import Delivery, interaction_of

TOLERANCE_SECONDS = 300.0
_VERSION = "v1,"
_SIGNATURES = 20
_ID_CHARACTERS = 500
_LATEST = 10**12


@dataclass(frozen=True)
class Expected:
    """What signatures must fit: our secrets, the keys at an address, our own address, or an audience in place of it."""

    secrets: Sequence[bytes]
    keys_url: str
    address: str
    audience: str = ""


class Verifier:
    def __init__(self, expected: Expected, tokens: SignedTokens, clock: Clock) -> None:
        self._expected, self._tokens, self._clock = expected, tokens, clock

    def check(self, delivery: Delivery) -> tuple[str, ...]:
        """The names by which this webhook is known when it comes again.

        Raises Unauthorized for what is not the service's, or is older than five minutes; Transient without keys.
        """
        if not delivery.id or len(delivery.id) > _ID_CHARACTERS or not delivery.signature:
            raise Unauthorized("A webhook has the headers webhook-id, webhook-timestamp and webhook-signature.")
        self._recent(_whole_number(delivery.timestamp), "The webhook's time")
        if _VERSION in delivery.signature:
            self._check_secret(delivery)
            return (delivery.id,)
        self._check_token(delivery)
        # A token says nothing of the id that it comes with. Its last part may be spelt in several ways, the rest not.
        return (delivery.id, delivery.signature.strip().rpartition(".")[0])

    def _check_secret(self, delivery: Delivery) -> None:
        """Standard Webhooks: several signatures and several secrets, while a secret is changed; one pair must fit."""
        content = b".".join((delivery.id.encode(errors="replace"), delivery.timestamp.encode(), delivery.body))
        given = [one.removeprefix(_VERSION) for one in delivery.signature.split(" ")[:_SIGNATURES] if _is_ours(one)]
        fitting = False
        for secret in self._expected.secrets:
            right = b64encode(hmac.digest(secret, content, hashlib.sha256))
            for one in given:  # each is compared, so that the time taken tells nothing
                fitting |= hmac.compare_digest(right, one.encode(errors="replace"))
        if not fitting:
            raise Unauthorized("The webhook's signature is made with no secret that is known here.")

    def _check_token(self, delivery: Delivery) -> None:
        claims = self._tokens.claims(delivery.signature.strip(), self._expected.keys_url)
        issued, expires = _moment(claims.get("iat")), _moment(claims.get("exp"))
        if issued is None and expires is None:
            raise Unauthorized("The webhook's token has no time.")
        if issued is not None:
            self._recent(issued, "The time of the webhook's token")
        if expires is not None and expires <= self._now():
            raise Unauthorized("The webhook's token has expired.")
        if not _is_meant(claims.get("aud"), self._expected):
            raise Unauthorized("The webhook's token is meant for somebody else.")
        told = claims.get("data")
        if isinstance(told, Mapping) and "id" in told and told["id"] != interaction_of(delivery.body):
            raise Unauthorized("The webhook's token belongs to another body.")

    def _recent(self, seconds: float, what: str) -> None:
        if abs(self._now() - seconds) > TOLERANCE_SECONDS:
            raise Unauthorized(f"{what} is more than five minutes off.")

    def _now(self) -> float:
        return self._clock.now().timestamp()


def _is_meant(audience: Any, expected: Expected) -> bool:
    """Whether the token may be for us. Without a setting only an address of another place tells that it is not."""
    named = audience if isinstance(audience, list) else [audience]
    if expected.audience:
        return expected.audience in named
    addresses = [one for one in named if isinstance(one, str) and one.startswith(("https://", "http://"))]
    return not addresses or any(one.rstrip("/") == expected.address.rstrip("/") for one in addresses)


def _is_ours(signature: str) -> bool:
    return signature.startswith(_VERSION)


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise Unauthorized("The header webhook-timestamp is no number of seconds.")
    return int(text)


def _moment(claim: Any) -> float | None:
    """Seconds since 1970; None for a claim that is missing or no number, NaN and infinities among them."""
    if isinstance(claim, bool) or not isinstance(claim, int | float) or not abs(claim) < _LATEST:
        return None
    return float(claim)
