"""Records that may say the same as a statement, or something against it: a bounded number, whatever their status."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from shared.brain.statements import Statement
from shared.contracts.memory import Record
from shared.errors import MemexError, SpendingPaused
from shared.gateway.transport import Cut
from shared.llm.port import Embedder
from shared.search.languages import ANY_SMALL, LANGUAGES
from shared.search.query import TERMS_MAX
from shared.search.stems import stems
from shared.search.words import words
from shared.store.workspace import WorkspaceStore

log = logging.getLogger(__name__)

STATED, WORDED, NEAR = 30, 20, 10
"""How many are read of the same property, with the same words, and of the same meaning."""
_ASKED_WORDS = 6
_DISTANCE = 0.25


def neighbours(store: WorkspaceStore, statement: Statement, vector: Sequence[float] | None = None) -> list[Record]:
    """Those of the same subject and property first, then by words, then by meaning; each once."""
    found: list[Record] = []
    if statement.subject_key and statement.property_key:
        found += store.records.stated(statement.subject_key, statement.property_key, STATED)
    if terms := _terms(statement.text):
        found += store.records.with_terms(terms, WORDED)
    if vector is not None:
        found += store.records.near(vector, _DISTANCE, NEAR)
    return list({one.id: one for one in found}.values())


def vectors(embedder: Embedder | None, texts: Sequence[str], cut: Cut) -> list[list[float]] | None:
    """One for each text; None where there is no model, or it gives no answer: then words alone decide.

    Raises SpendingPaused: what waits for that is better for it.
    """
    if embedder is None or not texts:
        return None
    try:
        return embedder.embed(list(texts), cut=cut)
    except SpendingPaused:
        raise
    except MemexError as error:
        log.warning("memory works without embeddings: %s", error.message)
        return None


def _terms(text: str) -> list[str]:
    """The longest of its words, which are the rarest, as the index spells them."""
    telling = dict.fromkeys(word for word in words(text) if word not in ANY_SMALL)
    longest = sorted(telling, key=len, reverse=True)[:_ASKED_WORDS]
    return list(dict.fromkeys(stem for word in longest for stem in stems(word, LANGUAGES)))[:TERMS_MAX]
