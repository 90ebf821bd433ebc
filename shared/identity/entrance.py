"""The entrance of every public function: who calls, in which workspace, and whether they call too often."""

from __future__ import annotations

from shared.auth import Headers, bearer
from shared.identity.membership import WORKSPACE_HEADER, Memberships, in_no_workspace, principal_of, same
from shared.identity.people import People
from shared.identity.principal import Principal
from shared.identity.rates import Rates
from shared.identity.static import StaticTokens, unknown


class Entrance:
    """Lets callers in. `people` is None where no ID tokens are taken."""

    def __init__(self, tokens: StaticTokens, people: People | None, memberships: Memberships, rates: Rates) -> None:
        self._tokens, self._people, self._memberships, self._rates = tokens, people, memberships, rates

    def admit(self, headers: Headers, *, anywhere: bool = False) -> Principal:
        """The caller, by the header Authorization and, for a person of several workspaces, X-Memex-Workspace.

        With `anywhere` no workspace is meant: a person is in none then, and need be a member of none.
        Raises Unauthorized, Forbidden for who is no member, WorkspaceNeeded, RateLimited, Transient.
        """
        wanted = headers.get(WORKSPACE_HEADER)
        return self._counted(self._known(bearer(headers.get("Authorization")), wanted, anywhere))

    def feed_secret(self, caller: Principal) -> str:
        """See StaticTokens.feed_secret."""
        return self._tokens.feed_secret(caller)

    def admit_to_feed(self, secret: str) -> Principal:
        """Who reads the feed at the address with that secret. Raises NotFound, RateLimited."""
        return self._counted(self._tokens.feed_reader(secret))

    def _known(self, token: str, wanted: str | None, anywhere: bool) -> Principal:
        owner = self._tokens.owner(token)
        if owner is not None:
            return same(wanted, owner)
        if self._people is None or token.count(".") != 2:
            raise unknown()
        person = self._people.person(token)
        return in_no_workspace(person) if anywhere else principal_of(person, wanted, self._memberships)

    def _counted(self, principal: Principal) -> Principal:
        self._rates.take(principal.name)
        return principal
