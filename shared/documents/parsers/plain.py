"""Text and Markdown: as they are."""

from __future__ import annotations

from shared.documents.parsers.reading import Reading, Wanted
from shared.documents.texts import clean, decoded


def read(wanted: Wanted) -> Reading:
    return Reading(1, paged=False, texts=[clean(decoded(wanted.path.read_bytes()))][wanted.first :])
