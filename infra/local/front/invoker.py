"""Who may call a function: what IAM decides in front of Cloud Run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from infra.local.front.guard import Refused
from infra.local.iam import InvalidToken
from shared.contracts.manifest import FunctionRow


class Tokens(Protocol):
    """What the front needs of iam."""

    def verify(self, token: str, audience: str) -> dict[str, Any]: ...

    def strip_signature(self, token: str) -> str: ...


@dataclass(frozen=True)
class Invokers:
    """Checks callers of private functions. `url` has {name} where the function's name goes."""

    tokens: Tokens
    project: str
    url: str

    def admit(self, row: FunctionRow, authorization: str) -> str:
        """The Authorization header to forward. Raises Refused with 401 (no valid token) or 403 (the wrong account).

        A public function gets the header as it came; a private one the token with its signature removed.
        """
        if row.invoker == "public":
            return authorization
        scheme, _, token = authorization.partition(" ")
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
