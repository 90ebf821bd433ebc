"""Words that are there to make a machine do something: what stands beside them is not remembered, whoever says it may.

The forms are those by which instructions are planted in notes, pages and mails. They are told by what they are for
(speaking to a model, overruling it, posing as its own messages, naming its tools), so that others of the kind are met.
"""

from __future__ import annotations

import codecs
import re

from shared.search.languages import SMALL_WORDS
from shared.search.words import words

_MODEL = r"(?:ai|a\.i\.|assistants?|llms?|language models?|models?|agents?|chatbots?|memex)"
_TAGS = r"(?:system|instructions?|information|assistant|user|tool\w*|untrusted\w*|note|source|passage|statement)"
_DO = r"(?:^|[\n.;:!,*>\"'-]\s*|\b(?:please|must|now|then|and|do|to|instead)\s+)"
"""Where an order stands: at the beginning of a sentence, or behind a word that leads to it."""

_STRONG = (
    (
        r"\b(?:ignore|disregard|forget|override|bypass|skip)\b[^.\n]{0,40}\b(?:instructions?|rules?|prompts?|"
        r"guidelines?|restrictions?|(?:what|everything) (?:was|you were) (?:said|told))\b",
        "It tells a model to drop its instructions.",
    ),
    (r"\b(?:adhere to|follow|obey|comply with) (?:strictly )?the following\b", "It gives orders to a model."),
    (
        rf"<\s*/?\s*{_TAGS}\b[^>\n]*>|\bsystem[ _-]?(?:message|prompt|instruction)\b|\]\]>|<\|",
        "It poses as a part of a prompt.",
    ),
    (
        r"[\"']role[\"']\s*:\s*[\"'](?:tool|system|assistant|user)[\"']|(?:^|\n)\s*(?:system|human|tool)\s*:\s",
        "It poses as a message of a conversation.",
    ),
    (
        rf"{_DO}(?:always )?remember\b[^.\n]{{0,20}}\b(?:always|forever|for ever|permanently|from now on)\b|"
        rf"{_DO}always remember\b|"
        rf"{_DO}(?:save|store|write|add|put|commit)\b[^.\n]{{0,60}}\b(?:to|in|into)\b[^.\n]{{0,20}}\bmemor(?:y|ies)\b|"
        r"\bwrite_memory\b",
        "It gives orders to a memory.",
    ),
    (
        rf"\b(?:dear|hey|attention|note to|message to|instructions? (?:for|to)) (?:an? |the |any |all )?{_MODEL}\b|"
        rf"(?:^|\n)\s*(?:to )?(?:the |any |all )?{_MODEL}\s*[,!]|"
        r"\b(?:ai|assistants?|llms?|language models?|chatbots?|memex) (?:must|should|shall|has to|have to|is to)\b",
        "It speaks to a model.",
    ),
    (
        r"\byou (?:are now|must now|will now)\b|\byour (?:new |real |next )?(?:instructions?|task|role) (?:is|are)\b|"
        r"\bbefore you (?:can )?(?:solve|answer|do|continue|proceed|respond)\b|\bdo \w+ instead\b|"
        r"\bimportant message from\b",
        "It gives a model another task.",
    ),
    (
        rf"{_DO}(?:repeat|print|reveal|output|translate) (?:me )?(?:the|your|all) (?:text|words|instructions?|"
        r"prompts?)\b|"
        r"\bcontinue\s*:\s*you are\b|\bsearch again until\b|\b(?:planner|orchestrator)\s*:\s*\w+",
        "It gives orders to a program.",
    ),
)
_WEAK = (
    (
        rf"{_DO}(?:call|use|invoke|run|execute|trigger)\b[^.\n]{{0,30}}(?:\b[a-z]+_[a-z_]+\b|\b(?:tools?|functions?)\b)|"
        r"\b[a-z]+_[a-z_]+\s*\(|\bbefore (?:using|calling) any\b",
        "It has a tool called.",
    ),
    (
        rf"{_DO}(?:fetch|open|visit|load|get|post|upload|send|navigate|go)\b[^.\n]{{0,60}}\b(?:https?://|www\.)",
        "It has an address visited.",
    ),
    (r"\b(?:todo|action)\s*:?\s*(?:call|send|fetch|post|upload|forward|exfiltrate)\b", "It is an order."),
    (r"\btrust\s+(?:the (?:site|domain|sender|address)\s+)?[\w-]+(?:\.[\w-]+)+", "It asks for trust in an address."),
)
_CODE = re.compile(r"(?<![\w/])(?=[A-Za-z+/]*\d)(?=[a-z\d+/]*[A-Z])[A-Za-z0-9+/]{40,}={0,2}(?![\w/])")
_THE_USER = re.compile(
    r"\b(?:the )?user(?:['’]s|\s+(?:is|has|wants|prefers|likes|lives|works|name|e-?mail|must))\b", re.I
)
_SMALL, _SMALL_LEAST = SMALL_WORDS["english"], 3
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|our|us)\b")

Forms = tuple[tuple[re.Pattern[str], str], ...]


def _compiled(forms: tuple[tuple[str, str], ...]) -> Forms:
    return tuple((re.compile(form, re.IGNORECASE), reason) for form, reason in forms)


_SURROUNDING, _WITHIN = _compiled(_STRONG), _compiled(_WEAK)


def planted(text: str) -> str:
    """What gives a statement away as an instruction to a machine, as a sentence; empty where nothing does."""
    if _CODE.search(text) or _turned(text):
        return "It is written in a code."
    return _first((*_SURROUNDING, *_WITHIN), text)


def planted_around(paragraph: str) -> str:
    """The same of the paragraph that a statement stands in, by the forms that make all of it doubtful."""
    return _first(_SURROUNDING, paragraph)


def speaks_as_a_program(quote: str) -> bool:
    """Whether it tells of "the user": nobody speaks so of himself, but whoever plants a memory does."""
    return _THE_USER.search(quote) is not None and _FIRST_PERSON.search(quote) is None


def _turned(text: str) -> bool:
    """Whether it reads as English once its letters are moved by thirteen, and does not before."""
    plain, moved = (sum(word in _SMALL for word in words(one)) for one in (text, codecs.encode(text, "rot13")))
    return moved >= _SMALL_LEAST and not plain


def _first(forms: Forms, text: str) -> str:
    return next((reason for form, reason in forms if form.search(text)), "")
