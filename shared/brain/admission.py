"""Admission: what may become a memory at all. Whatever a critic says, this comes first, and it is code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.brain.instructions import planted
from shared.contracts.memory import RECORD_TEXT_CHARACTERS, SUBJECT_CHARACTERS, Candidate, SourceRef
from shared.memory.keys import key_of
from shared.search.words import words

CONFIDENCE_LEAST = 0.25
_WORDS_LEAST = 2
_ASSISTANTS = frozenset(["assistant", "ai", "ai assistant", "language model", "chatbot", "llm", "memex"])
_AS_ASSISTANT = re.compile(r"\bas an? (?:ai|language model)\b|\bI(?:['’]m| am) an? (?:ai|llm|language model)\b", re.I)


def refusal(candidate: Candidate, evidence: Sequence[SourceRef], confidence: float) -> str:
    """Why the candidate is not remembered, as a sentence for a person; empty where it may be."""
    return next((reason for applies, reason in _reasons(candidate, evidence, confidence) if applies), "")


def _reasons(
    candidate: Candidate, evidence: Sequence[SourceRef], confidence: float
) -> Sequence[tuple[bool | str, str]]:
    instruction = planted(candidate.text)
    own = [one for one in evidence if one.said_by == "person"]
    return (
        (candidate.problem, candidate.problem),
        (not evidence, "Nothing in its source says so."),
        (not own and any(one.said_by == "assistant" for one in evidence), "The assistant said it, not the person."),
        (not own, "Somebody else's words say it, not the person's."),
        (instruction, f"It is an instruction, not a statement. {instruction}"),
        (candidate.instruction, "It is an instruction, not a statement."),
        (_of_the_assistant(candidate), "It is about the assistant, not about the person or their world."),
        (not candidate.about_person_or_world, "It is not about the person or their world."),
        (not candidate.durable, "It holds for one task or one moment only."),
        (len(words(candidate.text)) < _WORDS_LEAST or not key_of(candidate.subject), "It states nothing."),
        (candidate.text.rstrip().endswith("?"), "It is a question."),
        (len(candidate.text) > RECORD_TEXT_CHARACTERS, "It is too long for one statement."),
        (len(candidate.subject) > SUBJECT_CHARACTERS, "Its subject is no name."),
        (_upside_down(candidate), "It ends before it begins."),
        (confidence < CONFIDENCE_LEAST, "It is too uncertain."),
    )


def _of_the_assistant(candidate: Candidate) -> bool:
    return key_of(candidate.subject) in _ASSISTANTS or _AS_ASSISTANT.search(candidate.text) is not None


def _upside_down(candidate: Candidate) -> bool:
    begin, end = candidate.valid_from, candidate.valid_to
    return begin is not None and end is not None and end < begin
