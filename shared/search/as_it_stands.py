"""A query without words: a sign such as 🍞 is looked for as it stands in the newest notes; marks alone find none."""

from __future__ import annotations

import unicodedata

from shared.contracts.limits import TITLE_CHARACTERS
from shared.contracts.note_index import SearchAnswer, SearchHit
from shared.contracts.notes import Note
from shared.search.passages import PASSAGE_CHARACTERS, around, plain
from shared.store.note_index import Within
from shared.store.notes import SCAN_DOCUMENTS, Notes, NotesWanted

_EMOJI_FORM = "\ufe0f"
"""Asks for the coloured form of a sign, which is the same sign."""
_LEFT_OUT = f"There is no word in this, so it was looked for as it stands in the newest {SCAN_DOCUMENTS} notes."
_NOTHING = "There is no word in this to look for: give one."


def as_it_stands(notes: Notes, query: str, within: Within, tag: str | None, limit: int) -> SearchAnswer:
    """Notes with the sign in the title or the inline part of the body, newest first; none for punctuation alone."""
    sign = " ".join(query.replace(_EMOJI_FORM, "").split())
    if not any(_is_sign(character) for character in sign):
        return SearchAnswer(hits=(), looked_at=0, message=_NOTHING)
    page = notes.list(NotesWanted(SCAN_DOCUMENTS, kind=within.kind, tag=tag, q=sign))
    hits = [_hit(note, sign) for note in page.notes if _made_within(note, within)]
    return SearchAnswer(hits=tuple(hits[:limit]), looked_at=page.scanned, message=_LEFT_OUT)


def _is_sign(character: str) -> bool:
    return unicodedata.category(character).startswith("S") and not character.isascii()


def _made_within(note: Note, within: Within) -> bool:
    late = within.before is not None and note.created_at >= within.before
    return not late and (within.after is None or note.created_at >= within.after)


def _hit(note: Note, sign: str) -> SearchHit:
    at = note.body.find(sign)
    excerpt = around(note.body, at) if at >= 0 else plain(note.body[: PASSAGE_CHARACTERS * 2], PASSAGE_CHARACTERS)
    return SearchHit(
        id=note.id,
        kind=note.kind,
        title=note.title[:TITLE_CHARACTERS],
        excerpt=excerpt,
        tags=note.tags,
        created_at=note.created_at,
        updated_at=note.updated_at,
        score=1.0,
        matched=(sign,),
    )
