"""Webhooks with their real clients; called by bootstrap alone, so that other functions import none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.config import Settings
from shared.gateway.backends import gemini_keys_url
from shared.gateway.callbacks import Callbacks
from shared.gateway.transport import build_client
from shared.identity.keys import KeyRing
from shared.identity.signed import SignedTokens
from shared.store.workspace import WorkspaceStore
from shared.webhooks.service import Webhooks
from shared.webhooks.verifying import Expected, Verifier
from shared.webhooks.waking import CallbacksPort, Waking

if TYPE_CHECKING:
    from shared.identity.signed import Keys
    from shared.store.system import SystemStore


def webhooks(
    settings: Settings,
    store: Callable[[str], WorkspaceStore],
    system: Callable[[], SystemStore],
    clock: Clock,
    *,
    keys: Keys | None = None,
    callbacks: CallbacksPort | None = None,
) -> Webhooks:
    """`keys` and `callbacks` stand in for what is fetched and called; tests and simulations give them."""
    expected = Expected(
        settings.webhook_secrets,
        gemini_keys_url(settings.research_base_url),
        settings.webhook_address,
        settings.webhook_audience,
    )
    verifier = Verifier(expected, SignedTokens(keys or KeyRing(clock)), clock)
    return Webhooks(verifier, Waking(store, system, callbacks or _callbacks(settings), settings, clock))


def _callbacks(settings: Settings) -> Callbacks:
    if settings.workflows_endpoint:  # an emulated service, which takes any token and must not get a real one
        return Callbacks(build_client(), lambda: "emulated")
    from shared.gateway.default_token import DefaultToken

    return Callbacks(build_client(), DefaultToken())
