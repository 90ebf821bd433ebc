"""Access tokens of the application-default credentials."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import google.auth
import google.auth.exceptions
import google.auth.transport.requests

from shared.errors import Transient

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_REFRESH_SECONDS = 10.0
"""For each request of a refresh; the library's own 120 s are as long as the function may run."""


class DefaultToken:
    """Access tokens of the application-default credentials, found at the first call and refreshed when they expire."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._credentials: Any = None
        self._refused = False

    def __call__(self) -> str:
        try:
            with self._lock:
                if self._credentials is None:
                    self._credentials, _ = google.auth.default(scopes=[_SCOPE])
                if self._refused or not self._credentials.valid:
                    request = partial(google.auth.transport.requests.Request(), timeout=_REFRESH_SECONDS)
                    self._credentials.refresh(request)
                    self._refused = False
                return str(self._credentials.token)
        except google.auth.exceptions.GoogleAuthError as error:
            raise Transient(f"No access token: {error}. Set application-default credentials.") from error

    def renew(self) -> None:
        """The last token was refused although it had not expired: the next one is fresh."""
        self._refused = True
