"""Who may call a function: what IAM decides in front of Cloud Run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from infra.local.front.guard import Refused
from infra.local.iam import InvalidToken
from shared.contracts.manifest import FunctionRow


class Tokens(Protocol):
    """What the front needs of iam."""

    def verify(self, token: str, audience: str) -> dict[str, Any]: ...

    def strip_signature(self, token: str) -> str: ...


CREDENTIAL_HEADERS = ("x-serverless-authorization", "authorization")
"""Where Cloud Run looks for a token, in this order; the first that is sent counts."""


@dataclass(frozen=True)
class Invokers:
    """Checks callers of private functions. `url` has {name} where the function's name goes."""

    tokens: Tokens
    project: str
    url: str

    def admit(self, row: FunctionRow, credentials: Mapping[str, str]) -> dict[str, str]:
        """The credentials to forward. Raises Refused with 401 (no valid token) or 403 (the wrong account).

        `credentials` are the request's headers of CREDENTIAL_HEADERS, lower-case. A public function gets them as
        they came. For a private one the first that is there is verified, and goes on with its signature removed; the
        other is the function's own business.
        """
        if row.invoker == "public":
            return dict(credentials)
        name = next((name for name in CREDENTIAL_HEADERS if credentials.get(name)), CREDENTIAL_HEADERS[-1])
        return {**credentials, name: self._verified(row, credentials.get(name, ""))}

    def _verified(self, row: FunctionRow, header: str) -> str:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Refused("401 Unauthorized", f"The function {row.name} is private: send an OIDC token for it.")
        try:
            claims = self.tokens.verify(token.strip(), self.url.replace("{name}", row.name))
            stripped = self.tokens.strip_signature(token.strip())
        except InvalidToken as error:
            raise Refused("401 Unauthorized", str(error)) from error
        self._refuse_strangers(row, claims)
        return f"Bearer {stripped}"

    def _refuse_strangers(self, row: FunctionRow, claims: dict[str, Any]) -> None:
        allowed = {account_address(name, self.project) for name in row.callers}
        if claims.get("email") not in allowed or claims.get("email_verified") is not True:
            raise Refused("403 Forbidden", f"{claims.get('email')} may not invoke the function {row.name}.")


def account_address(name: str, project: str) -> str:
    """The address of a service account."""
    return f"{name}@{project}.iam.gserviceaccount.com"
