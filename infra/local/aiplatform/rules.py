"""The emulated model: plain rules that answer from the text they are given, and say so."""

from __future__ import annotations

from infra.local.aiplatform.prompt import Note, Prompt, parse_prompt
from infra.local.aiplatform.selection import choose
from infra.local.aiplatform.sentences import split_sentences

LABEL = "(Emulated model of the local cloud: rules and extraction, no language model.)"
_MOST = 5


def answer_text(question: str, context: str = "") -> str:
    """An answer to `question` out of the notes, or the plain text, that came with it; labelled as emulated."""
    prompt = _as_prompt(question, context)
    found = [chosen.sentence.text for chosen in choose(prompt)[:_MOST]]
    if not found:
        return f"I found nothing in the given text that answers this. {LABEL}"
    return f"{' '.join(found)}\n\n{LABEL}"


def _as_prompt(question: str, context: str) -> Prompt:
    """Marked notes if there are any; else the last paragraph asks and what stands before it is the text."""
    prompt = parse_prompt(f"{question}\n\n{context}")
    if prompt.notes:
        return prompt
    head, _gap, last = question.strip().rpartition("\n\n")
    if not head and "?" in last:
        asked = [sentence for sentence in split_sentences(last) if sentence.endswith("?")]
        rest = [sentence for sentence in split_sentences(last) if not sentence.endswith("?")]
        head, last = " ".join(rest), " ".join(asked) or last
    return Prompt("", last, (Note("text", "", f"{context}\n\n{head}"),))
