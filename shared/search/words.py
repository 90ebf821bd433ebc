"""Text as words: case, accents and compatibility forms folded; scripts without blanks in overlapping pairs."""

from __future__ import annotations

import re
import unicodedata

WORD_CHARACTERS = 40
"""A longer word is cut: it is an address or no word at all."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def folded(text: str) -> str:
    """Lower case in the sense of comparing, without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))


def words(text: str) -> list[str]:
    """The words in their order, folded; digits count as words."""
    found = _WORD.findall(folded(text))
    if text.isascii():
        return [_tidy(word) for word in found]
    return [piece for word in found for piece in _pieces(_tidy(word))]


def _tidy(word: str) -> str:
    """Without what an apostrophe joins: "sun's" is sun, and "l'eau" is eau."""
    if "'" in word or "’" in word:
        head, _, tail = word.replace("’", "'").partition("'")
        word = tail if len(head) <= 2 < len(tail) else head
    return word[:WORD_CHARACTERS]


def _pieces(word: str) -> list[str]:
    """A run of a script that is written without blanks becomes pairs of characters; the rest stays as it is."""
    if _UNSPACED.search(word) is None:
        return [word]
    pieces, end = [], 0
    for run in _UNSPACED.finditer(word):
        pieces += [word[end : run.start()]] if run.start() > end else []
        text, end = run[0], run.end()
        pieces += [text[at : at + 2] for at in range(max(1, len(text) - 1))]
    return [*pieces, *([word[end:]] if end < len(word) else [])]
