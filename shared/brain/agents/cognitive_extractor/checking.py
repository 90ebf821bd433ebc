"""What code makes of a proposal, whoever made it: where its words stand, who says them, and what is wrong with it."""

from __future__ import annotations

from shared.brain.agents.cognitive_extractor.schema import Proposal
from shared.brain.instructions import planted, planted_around, speaks_as_a_program
from shared.brain.passing import an_order, passing
from shared.brain.sentences import Span, located, paragraph_at, widened
from shared.brain.sources import Reading
from shared.brain.statements import content
from shared.brain.voices import Voices
from shared.contracts.memory import (
    QUOTE_CHARACTERS,
    RECORD_TEXT_CHARACTERS,
    SUBJECT_CHARACTERS,
    Candidate,
    SourceRef,
)
from shared.memory.keys import ME, key_of

_GROUNDED = 0.34
"""So much of what a statement tells must stand in the words that it is said to come from."""
_AROUND = 300
_LENGTHS = {
    "subject": SUBJECT_CHARACTERS,
    "property": 80,
    "object": SUBJECT_CHARACTERS,
    "text": RECORD_TEXT_CHARACTERS,
}


def checked(proposal: Proposal, reading: Reading, voices: Voices) -> tuple[Candidate, tuple[SourceRef, ...]]:
    """The candidate with its flags as code sees them, and its evidence: none where the quotation is not in the source.

    Flags are only ever set against a candidate here, never in favour of one.
    """
    candidate = _cut(proposal.candidate)
    place = _place(proposal, reading)
    if place is None:
        in_title = _evidence_of_title(proposal, reading)
        return candidate, (in_title,) if in_title is not None else ()
    sentence = place.of(reading.text)
    ref = reading.ref(place.start, place.end, sentence[:QUOTE_CHARACTERS], voices.at(place))
    return _flagged(candidate, sentence, paragraph_at(reading.text, place).of(reading.text), reading, place), (ref,)


def _place(proposal: Proposal, reading: Reading) -> Span | None:
    """The sentences that the quotation is of."""
    within = proposal.within
    found = located(within.of(reading.text), proposal.quote)
    if found is None:
        found, within = located(reading.text, proposal.quote), Span(0, len(reading.text))
    if found is None:
        return None
    return widened(reading.text, Span(within.start + found.start, within.start + found.end))


def _evidence_of_title(proposal: Proposal, reading: Reading) -> SourceRef | None:
    if reading.source.kind != "note" or located(reading.title, proposal.quote) is None:
        return None
    return reading.ref(0, 0, reading.title[:QUOTE_CHARACTERS], "person")


def _flagged(candidate: Candidate, sentence: str, paragraph: str, reading: Reading, place: Span) -> Candidate:
    problem = _problem(candidate, sentence, reading, place)
    told = planted(sentence) or planted_around(paragraph)
    ordered = reading.source.kind == "turn" and an_order(sentence)
    return candidate.model_copy(
        update={
            "problem": candidate.problem or problem or (f"It stands beside an instruction. {told}" if told else ""),
            "instruction": candidate.instruction or bool(told),
            "durable": candidate.durable and not passing(sentence, candidate.type) and not ordered,
        }
    )


def _problem(candidate: Candidate, sentence: str, reading: Reading, place: Span) -> str:
    if key_of(candidate.subject) == ME and speaks_as_a_program(sentence):
        return "It tells of the user as only a program does: the person did not say it of themselves."
    if sentence.rstrip().endswith("?"):
        return "It is a question."
    around = reading.text[max(0, place.start - _AROUND) : place.end + _AROUND]
    telling = content(candidate.text)
    if telling and len(telling & content(f"{around} {reading.title}")) < _GROUNDED * len(telling):
        return "Its source does not say that."
    return ""


def _cut(candidate: Candidate) -> Candidate:
    """One line each, no longer than a record may hold."""
    return candidate.model_copy(
        update={name: " ".join(getattr(candidate, name).split())[:most] for name, most in _LENGTHS.items()}
    )
