"""ID tokens of people, from Google or Firebase: whom a token names, once everything that it claims is checked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from shared.auth import unverified
from shared.clock import Clock
from shared.contracts.members import email_of
from shared.errors import Forbidden, Unauthorized
from shared.identity.principal import TokenExpired
from shared.identity.signed import SignedTokens

CLOCK_SKEW_SECONDS = 10.0
"""How far the issuer's clock and ours may be apart."""
SUBJECT_CHARACTERS = 255
_SECONDS = 1e11
"""No time is so far away: what is more, or no number, is none."""
_GOOGLE_CLIENT = re.compile(r"[A-Za-z0-9_-]{1,200}\.apps\.googleusercontent\.com")
_GOOGLE_KEYS = "https://www.googleapis.com/oauth2/v3/certs"
_FIREBASE_KEYS = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"


@dataclass(frozen=True)
class Person:
    """Whom an ID token names: a verified address, in small letters, and a name for logs that does not give it away."""

    email: str
    name: str
    expires_at: datetime


@dataclass(frozen=True)
class Audience:
    """For whom tokens are meant, who issues them, and where the keys of those are."""

    name: str
    issuers: tuple[str, ...]
    keys_url: str


def audience_of(name: str, keys_url: str = "") -> Audience:
    """A client of Google's sign-in by the form of its id, or else a Firebase project."""
    if _GOOGLE_CLIENT.fullmatch(name):
        return Audience(name, ("https://accounts.google.com", "accounts.google.com"), keys_url or _GOOGLE_KEYS)
    return Audience(name, (f"https://securetoken.google.com/{name}",), keys_url or _FIREBASE_KEYS)


class People:
    """Reads ID tokens that are meant for one of our audiences."""

    def __init__(self, audiences: Iterable[Audience], tokens: SignedTokens, clock: Clock) -> None:
        self._audiences = {audience.name: audience for audience in audiences}
        self._tokens, self._clock = tokens, clock

    def person(self, token: str) -> Person:
        """Whom the token names.

        Raises Unauthorized for a token that is not ours, TokenExpired, Forbidden for a person without a verified
        address, Transient while the issuer's keys cannot be had.
        """
        # What is unverified only chooses whose keys are asked; the choice is compared again below.
        meant = unverified(token).get("aud")
        audience = self._audiences.get(meant) if isinstance(meant, str) else None
        if audience is None:
            raise Unauthorized("The token is meant for another application than this memex.")
        claims = self._tokens.claims(token, audience.keys_url)
        if claims.get("aud") != audience.name or claims.get("iss") not in audience.issuers:
            raise Unauthorized("The token is of another issuer than this memex takes tokens of.")
        expires_at = self._checked_times(claims)
        return Person(_email(claims), _name(claims), expires_at)

    def _checked_times(self, claims: Mapping[str, Any]) -> datetime:
        now = self._clock.now().timestamp()
        expiry = _seconds(claims, ("exp",))[0]
        begun = _seconds(claims, ("iat", *(name for name in ("nbf", "auth_time") if name in claims)))
        if max(begun) > now + CLOCK_SKEW_SECONDS:
            raise Unauthorized("The token is of a time to come: is the clock right where it was made?")
        if expiry <= now - CLOCK_SKEW_SECONDS:
            raise TokenExpired("The sign-in has expired: sign in again.")
        return datetime.fromtimestamp(expiry, timezone.utc)


def _seconds(claims: Mapping[str, Any], names: Sequence[str]) -> list[float]:
    values: list[Any] = [claims.get(name) for name in names]
    good = [float(value) for value in values if type(value) in (int, float) and abs(value) < _SECONDS]
    if len(good) < len(values):
        raise Unauthorized(f"The token lacks a time that it must have: {', '.join(names)}.")
    return good


def _email(claims: Mapping[str, Any]) -> str:
    email = claims.get("email")
    if not isinstance(email, str) or claims.get("email_verified") is not True:
        raise Forbidden("The sign-in has no verified address: verify it where your account is, and sign in again.")
    try:
        return email_of(email)
    except ValueError as error:
        raise Forbidden("The sign-in has an address that cannot be a member's.") from error


def _name(claims: Mapping[str, Any]) -> str:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= SUBJECT_CHARACTERS:
        raise Unauthorized("The token names nobody.")
    digest = hashlib.sha256(f"{claims['iss'].removeprefix('https://')}\n{subject}".encode(errors="replace"))
    return f"person-{digest.hexdigest()[:8]}"
