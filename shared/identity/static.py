"""Static tokens: the setting API_TOKENS says of each whose it is, what it may do and until when."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence

from shared.clock import Clock
from shared.contracts.grants import Grant, digest_of
from shared.contracts.members import Role
from shared.errors import Forbidden, NotFound, Unauthorized
from shared.identity.principal import Principal, TokenExpired


class StaticTokens:
    """The tokens of this memex, as hashes. Every entry is compared each time, so that the time taken tells nothing."""

    def __init__(self, grants: Sequence[Grant], clock: Clock) -> None:
        self._grants, self._clock = grants, clock

    def owner(self, token: str) -> Principal | None:
        """Whose token it is; None for one that is not known. Raises TokenExpired."""
        grant = self._matching(digest_of(token), lambda one: one.digest)
        if grant is None:
            return None
        if grant.ended(self._clock.now()):
            raise TokenExpired("The token has expired: ask for another one, or make it with memex token new.")
        return _principal(grant, grant.role)

    def feed_secret(self, caller: Principal) -> str:
        """What stands in the address of the caller's feed: made from the token, which it does not give away.

        It opens the feed and nothing else, and ends with the token. Raises Forbidden for who came with none.
        """
        for grant in self._grants:
            if caller == _principal(grant, grant.role):
                return _feed_secret(grant)
        raise Forbidden("The address of a feed hangs on a static token, and you are signed in without one.")

    def feed_reader(self, secret: str) -> Principal:
        """Who reads a feed with that secret: with a reader's role, whatever the token. Raises NotFound."""
        grant = self._matching(secret, _feed_secret)
        if grant is None or grant.ended(self._clock.now()) or grant.role is Role.OPERATOR:
            raise NotFound("There is no such feed: take its address from the settings of the page.")
        return _principal(grant, Role.READER)

    def _matching(self, given: str, of: Callable[[Grant], str]) -> Grant | None:
        found = None
        for grant in self._grants:
            if hmac.compare_digest(given.encode(errors="replace"), of(grant).encode()):
                found = grant
        return found


def unknown() -> Unauthorized:
    """The refusal of a token that nobody gave."""
    return Unauthorized("The token is not known: send Authorization: Bearer with a token of this memex.")


def _principal(grant: Grant, role: Role) -> Principal:
    return Principal(grant.workspace, grant.name, role, grant.valid_until)


def _feed_secret(grant: Grant) -> str:
    return hmac.new(grant.digest.encode(), b"memex-feed-1", hashlib.sha256).hexdigest()[:40]
