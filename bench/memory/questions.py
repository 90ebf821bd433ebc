"""Sixty questions on the month, asked on its last day, and what an answer must and must not have."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Literal

Kind = Literal["single", "several", "time", "update", "abstention"]
KINDS: tuple[tuple[Kind, str], ...] = (
    ("single", "one fact"),
    ("several", "several facts, or one by way of another"),
    ("time", "when something was, or what held on a day"),
    ("update", "what holds now, after it had been otherwise"),
    ("abstention", "nothing, since nobody said it"),
)


@dataclass(frozen=True)
class Question:
    """`wanted`: words that what is recalled as relevant must have together; none for a question without an answer.

    `stale`: words that it must not have.
    """

    kind: Kind
    text: str
    wanted: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    day: int | None = None
    """Asked as of this day of the month."""

    @property
    def as_of(self) -> datetime | None:
        return None if self.day is None else datetime(2026, 11, self.day, 23, tzinfo=timezone.utc)


def _single(text: str, *wanted: str) -> Question:
    return Question("single", text, wanted)


def _several(text: str, *wanted: str) -> Question:
    return Question("several", text, wanted)


def _time(text: str, *wanted: str) -> Question:
    return Question("time", text, wanted)


def _then(day: int, text: str, wanted: str, stale: str) -> Question:
    return Question("time", text, (wanted,), (stale,), day)


def _now(text: str, wanted: str, stale: str) -> Question:
    return Question("update", text, (wanted,), (stale,))


def _nobody(text: str) -> Question:
    return Question("abstention", text)


QUESTIONS = (
    _single("Where is the spare key?", "Tesse"),
    _single("When is Mila's birthday?", "3 May"),
    _single("What is Mila allergic to?", "hazelnuts"),
    _single("Who is my landlord?", "Joren Pask"),
    _single("What is the frame number of my bicycle?", "TV-3381"),
    _single("Who is my dentist?", "Venn"),
    _single("Where does Ilse work?", "library"),
    _single("Which bank am I with?", "Larch"),
    _single("Who is our household insurance with?", "Fennick"),
    _single("Where does the router stand?", "hall cupboard"),
    _single("Which language do I speak fluently?", "Portuguese"),
    _single("What does my brother Ansel do for a living?", "carpenter"),
    _single("Who is my cello teacher?", "Ruta Finch"),
    _single("Who did I lend my ladder to?", "Joren"),
    _single("What is Tesse's daughter called?", "Wren"),
    _single("What is the name of Ilse's cat?", "Pomfret"),
    _several("Which foods do I have to avoid?", "shellfish", "lactose"),
    _several("Who bought my car, and for how much?", "Bram", "3,100"),
    _several("What is Tesse's job, and what is her daughter called?", "nurse", "Wren"),
    _several("Where does Bram's wife work?", "library"),
    _several("Which instrument and which language am I learning?", "cello", "Danish"),
    _several("When are my cello lessons, and who teaches me?", "Friday", "Ruta Finch"),
    _several("Where did I go with Ilse, and on which day?", "concert", "14 November"),
    _several("How much is the rent, and when is it due?", "940", "fifth"),
    _several("In which towns do Saskia and Ansel live?", "Tarn", "Velm"),
    _several("What do I work as, and where is my desk?", "planner", "3.12"),
    _time("When did I move to Velm?", "1 November"),
    _time("When did I sell my car?", "12 November"),
    _time("On which day did Ansel turn forty?", "6 November"),
    _time("When did Dr. Venn replace my filling?", "24 November"),
    _time("When did I plant the garlic?", "8 November"),
    _time("When did Orlin move to Osk?", "15 November"),
    _time("When is the deadline of the winter timetable?", "4 December"),
    _time("When is the team day?", "11 December"),
    _then(10, "On which day is the Danish course?", "Tuesday", "Thursday"),
    _then(10, "What do I prefer to drink in the morning?", "green tea", "rooibos"),
    _then(15, "Who is my manager?", "Orlin", "manager is Saskia"),
    _then(10, "Which boat does Bram own?", "Sandpiper", "Heron"),
    _now("On which day is the Danish course?", "Thursday", "Tuesday"),
    _now("What do I prefer to drink in the morning?", "rooibos", "prefer green tea"),
    _now("Who is my manager?", "Saskia", "manager is Orlin"),
    _now("Which boat does Bram own?", "Heron", "boat called Sandpiper"),
    _now("Who repairs the roof?", "Aldous", "Kestrel Roofing offered"),
    _now("When is my appointment with Dr. Venn?", "24 November", "19 November"),
    _now("Where does my brother Ansel live?", "Velm", "Graywater"),
    _now("Where do we spend Christmas?", "Velm", "Christmas in Tarn"),
    _now("What is my running goal?", "full marathon", "half marathon"),
    _now("On which day are my cello lessons?", "Friday", "Monday"),
    _nobody("What is Tesse's favourite colour?"),
    _nobody("Which printers do I love?"),
    _nobody("What is Bram's phone number?"),
    _nobody("Where does Dr. Venn live?"),
    _nobody("What is my mother's name?"),
    _nobody("Which school does Wren go to?"),
    _nobody("How much did the cello cost?"),
    _nobody("In which language do I want all answers?"),
    _nobody("When is Saskia's birthday?"),
    _nobody("Which football club do I support?"),
    _nobody("What is the password of the router?"),
    _nobody("When does Mila's train arrive?"),
)
