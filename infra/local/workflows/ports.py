"""What the interpreter needs from outside: HTTP, credentials, ids. The defaults are the real ones."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from infra.local.outgoing import client


@dataclass(frozen=True)
class HttpRequest:
    """A request as a workflow makes it; the timeout is for the whole exchange."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout_seconds: float


@dataclass(frozen=True)
class HttpResponse:
    """An answer; repeated headers are joined by commas."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ConnectionFailedError(ConnectionError):
    """No connection could be made, so nothing was sent."""


# Sends a request. Raises ConnectionFailedError (or ConnectionRefusedError), ConnectionError when an
# established connection broke, TimeoutError; the workflow sees the tags of those names.
Http = Callable[[HttpRequest], HttpResponse]

# A fresh UUID in string form, for executions, callbacks and uuid.generate.
NewId = Callable[[], str]


class Tokens(Protocol):
    """Credentials of a service account. May raise `TokenError`; the workflow then sees AuthError."""

    def id_token(self, email: str, audience: str) -> str:
        """An OIDC token for an audience."""

    def access_token(self, email: str) -> str:
        """An OAuth2 access token."""


def random_id() -> str:
    return str(uuid.uuid4())


def send(request: HttpRequest) -> HttpResponse:
    """Send a request by httpx, past any proxy settings of the environment."""
    import httpx  # not at every start: it takes long

    try:
        with client(request.timeout_seconds, follow_redirects=True) as session:
            answer = session.request(request.method, request.url, headers=dict(request.headers), content=request.body)
    except (httpx.ConnectError, httpx.UnsupportedProtocol) as error:
        raise ConnectionFailedError(str(error)) from error
    except httpx.ConnectTimeout as error:
        raise ConnectionFailedError("the connection was not made in time") from error
    except httpx.TimeoutException as error:
        raise TimeoutError(str(error) or "the request timed out") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ConnectionError(str(error) or type(error).__name__) from error
    return HttpResponse(answer.status_code, dict(answer.headers), answer.content)
