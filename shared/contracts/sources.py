"""What an answer can be cited by."""

from __future__ import annotations

from shared.contracts.base import Stored


class Source(Stored):
    """A note, a page of a document, or a web address, as a tool met it; exactly one of the three is named."""

    title: str
    note_id: str | None = None
    document_id: str | None = None
    url: str | None = None
    """Where it was read, after all redirects."""
    page: int | None = None
    """The page of the document, from 1, where it has pages."""
    passage: str = ""
    """The words that were read there, cut."""
