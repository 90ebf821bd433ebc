"""The entrance put together from the settings."""

from __future__ import annotations

from shared.clock import Clock
from shared.config import Settings
from shared.identity.entrance import Entrance
from shared.identity.keys import KeyRing
from shared.identity.membership import Memberships
from shared.identity.people import People, audience_of
from shared.identity.rates import Rates
from shared.identity.signed import SignedTokens
from shared.identity.static import StaticTokens


def entrance(settings: Settings, clock: Clock, memberships: Memberships) -> Entrance:
    """Fetches nothing and connects to nothing before somebody comes with an ID token."""
    people = None
    if settings.id_token_audiences:
        audiences = [audience_of(name, settings.id_token_keys_url) for name in settings.id_token_audiences]
        people = People(audiences, SignedTokens(KeyRing(clock)), clock)
    rates = Rates(clock, settings.requests_per_second, settings.requests_burst)
    return Entrance(StaticTokens(settings.api_tokens, clock), people, memberships, rates)
