"""Words of a text as comparable terms: folded, stemmed a little, without the words that say nothing."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")  # kana and ideographs: no spaces between words
_SUFFIXES = (*("ations", "ation", "ities", "ity", "ness", "ings", "ing", "edly", "ies", "ied", "ed", "es", "ly", "s"),)

_STOPWORDS = """
    a about above affect affects after again against all almost also although always am among an and any anything
    are aren't around as ask at away back be became because become been before being below between both but by
    came can can't come comes could day days did didn't different do does doesn't doing don't done down during
    each effect either else enough etc even ever every few find first for from further gave get gets give given go
    goes going good got had has have haven't having he her here hers him his how however i i'd i'll i'm i've if in
    instead into is isn't it it's its itself just keep kind know known last least less let like link little long
    look lot made mainly make makes making many matter matters may maybe me might more most much must my myself
    need needs never new next no nor not note notes nothing now of off often on once one only or other others our
    ours out over own part people per perhaps play plays please put question questions quite rather really
    research right role said same say says second see seem seen she should show since so some something still such sure
    take taken than that that's the their them themselves then there these they thing things think this those
    though through thus time times to together too topic toward two under until up upon us use used uses using
    usually very want was wasn't way ways we well went were weren't what what's when where whether which while who
    whole whom whose why will with within without won't work works would write yet you your yours
    cause caused causes happen happened happens reason reasons
    aber als am an auch auf aus bei bin bis das dass dem den der des die doch du ein eine einem einen einer er es
    für hat ich ihr im ist ja kann mit nach nicht noch nur oder sein sich sie sind so um und uns vom von vor war
    was wenn wer wie wir wird zu zum zur über
"""


def fold(text: str) -> str:
    """Lower case without accents, so that Café and cafe are one word."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


_FOLDED_STOPWORDS = frozenset(map(fold, _STOPWORDS.split()))


def term_list(text: str) -> list[tuple[str, str]]:
    """(term, the word as written) for every word that says something, in order."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0].replace("’", "'")
        if _UNSPACED.fullmatch(word):
            found += [(word[i : i + 2], word[i : i + 2]) for i in range(max(1, len(word) - 1))]
            continue
        folded = fold(word)
        if folded in _FOLDED_STOPWORDS or (len(folded) < 2 and not folded.isdigit()):
            continue
        found.append((_stem(folded.removesuffix("'s")), match[0]))
    return found


def terms(text: str) -> frozenset[str]:
    return frozenset(term for term, _word in term_list(text))


def _stem(word: str) -> str:
    """Cut one common English ending, so that tide, tides and tidings stand closer; at least three letters stay."""
    if word.isdigit():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and (suffix == "ness" or not word.endswith("ss")):
            word = word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
            break
    return word.removesuffix("e") if len(word) > 3 else word
