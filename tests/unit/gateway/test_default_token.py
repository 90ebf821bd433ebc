"""Access tokens: found once, fresh when they expire or were refused."""

from __future__ import annotations

from typing import Any

import pytest

from shared.gateway.default_token import DefaultToken


class Credentials:
    """Count how often they were refreshed."""

    def __init__(self) -> None:
        self.valid, self.refreshed = False, 0

    @property
    def token(self) -> str:
        return f"token-{self.refreshed}"

    def refresh(self, _request: Any) -> None:
        self.valid, self.refreshed = True, self.refreshed + 1


def test_a_token_is_kept_until_it_expires_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    credentials = Credentials()
    monkeypatch.setattr("google.auth.default", lambda scopes: (credentials, "p"))
    token = DefaultToken()
    assert [token(), token()] == ["token-1", "token-1"]
    token.renew()
    assert [token(), token()] == ["token-2", "token-2"]
    credentials.valid = False
    assert token() == "token-3"
