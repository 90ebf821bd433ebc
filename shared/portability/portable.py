"""What of a document is about itself, and what about the place where it lies: only the first goes along."""

from __future__ import annotations

from dataclasses import replace

from shared.contracts.portability import IMPORT_MARK
from shared.store.raw import RawDocument

_PLACE = {"note_index": ("note_updated_at",)}
"""Fields that are moments of this database, by collection: an import makes them anew."""
_LARGEST_MARKED = 900_000
"""A larger document has no room for the mark, and fires no trigger that could be delivered: an event ends at 512 KB."""


def portable(one: RawDocument) -> RawDocument:
    """The document as it is written out and compared."""
    left_out = (IMPORT_MARK, *_PLACE.get(one.path.partition("/")[0], ()))
    return replace(one, fields={name: value for name, value in one.fields.items() if name not in left_out})


def marked(one: RawDocument, size: int) -> RawDocument:
    """The document as an import creates it; `size` is that of its line."""
    return one if size > _LARGEST_MARKED else one.having(**{IMPORT_MARK: True})
