"""What a search of the web takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.contracts.operations import Usage
from shared.errors import SettingsError, Transient
from shared.gateway.transport import Cut

HITS = 10


@dataclass(frozen=True)
class Hit:
    """A page that was found; `passage` is what its provider shows of it, `published` as the provider writes it."""

    title: str
    url: str
    passage: str = ""
    published: str = ""


@dataclass(frozen=True)
class Found:
    """The hits, best first; `summary` is what the provider says of them all, where it does.

    `usage` is what Google counts and bills; the others bill by their own plans.
    """

    provider: str
    hits: Sequence[Hit]
    summary: str = ""
    usage: Usage = Usage()


class SearchProvider(Protocol):
    """One way to search the web."""

    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """Pages about the query, with `recency_days` only those of the last so many days.

        One request, sent once. Raises SearchFailed, SearchUnset, and TransportError.
        """
        ...


class SearchFailed(Transient):
    """The provider gave no answer, or one that cannot be read."""

    code = "search_failed"


class SearchUnset(SettingsError):
    """Nobody is set who could search, or the provider does not take our key; the message says what to set."""

    status, code = 422, "no_search_provider"
