"""POSTs to functions through the front, with an OIDC token, as Google's services make them."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from infra.local.eventarc.lane import DeliveryRequest, NotDelivered
from infra.local.front.invoker import account_address
from shared.contracts.manifest import FunctionRow

CONNECT_AND_ANSWER_GRACE_SECONDS = 30.0


class Minting(Protocol):
    """What a caller needs of iam."""

    def id_token(self, email: str, audience: str) -> str: ...


@dataclass(frozen=True)
class FunctionPoster:
    """Calls functions in the name of one service account. `url` has {name} where the function's name goes."""

    tokens: Minting
    account: str
    project: str
    url: str
    rows: Mapping[str, FunctionRow]

    def post(self, name: str, headers: Mapping[str, str], body: bytes) -> int:
        """POST to the function's root; the HTTP status. Raises NotDelivered when there was no answer."""
        audience = self.url.replace("{name}", name)
        token = self.tokens.id_token(account_address(self.account, self.project), audience)
        parts = urlsplit(audience)
        seconds = self.rows[name].timeout_seconds + CONNECT_AND_ANSWER_GRACE_SECONDS
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
        try:
            connection.request("POST", f"{parts.path}/", body, {**headers, "Authorization": f"Bearer {token}"})
            response = connection.getresponse()
            response.read()
            return response.status
        except (OSError, http.client.HTTPException) as error:
            raise NotDelivered(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()


def delivering(poster: FunctionPoster) -> Callable[[DeliveryRequest], int]:
    """The `deliver` of eventarc over HTTP."""

    def deliver(request: DeliveryRequest) -> int:
        headers = {**request.headers, "User-Agent": "Google-Cloud-Eventarc"}
        return poster.post(request.function, headers, request.body)

    return deliver
