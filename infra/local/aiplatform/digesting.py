"""Summaries and tags of a text by rule: its sentences that say most, and the words it comes back to."""

from __future__ import annotations

from collections import Counter

from infra.local.aiplatform.prompt import Note
from infra.local.aiplatform.sentences import sentences_of
from infra.local.aiplatform.terms import term_list, terms

_SUMMARY_CHARACTERS = 400
_SENTENCES = 2
_TAGS = 4
_NO_TAGS = frozenset({"research"})
"""It starts a run that costs money: only a person gives it."""


def summary_of(text: str) -> str:
    """One or two sentences of the text, in its order: those whose words it uses most. "" for a text without any."""
    sentences = [sentence.text for sentence in sentences_of(Note("n", "", text))]
    if not sentences:
        return " ".join(text.split())[:_SUMMARY_CHARACTERS]
    counts = Counter(term for term, _word in term_list(text))
    weights = [sum(counts[term] for term in terms(sentence)) / (8 + len(sentence.split())) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda place: (-weights[place], place))[:_SENTENCES]
    return " ".join(sentences[place] for place in sorted(best))[:_SUMMARY_CHARACTERS]


def tags_of(title: str, text: str) -> list[str]:
    """Words that would do as tags, the best first: said more than once, or in the title."""
    words: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for term, word in [*term_list(title), *term_list(title), *term_list(text)]:
        if word.isalpha() and len(word) > 3:
            words.setdefault(term, word.lower())
            counts[term] += 1
    ranked = sorted((term for term in counts if counts[term] > 1), key=lambda term: (-counts[term], words[term]))
    return [words[term] for term in ranked if words[term] not in _NO_TAGS][:_TAGS]
