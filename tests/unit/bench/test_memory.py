"""The month and its questions belong together, and an answer is right for its words alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.memory.__main__ import main
from bench.memory.month import MONTH
from bench.memory.questions import KINDS, QUESTIONS, Question
from bench.memory.scoring import scored, shares
from bench.memory.unseen import DAYS
from bench.memory.unseen import QUESTIONS as UNSEEN
from shared.contracts.recall import RecallAnswer, RecallHit
from tests.support.memories import a_record

SETS = ((MONTH, QUESTIONS), (DAYS, UNSEEN))
ANSWERED = [(one, days) for days, questions in SETS for one in questions if one.wanted]


def answer(*texts: str, relevant: bool = True) -> RecallAnswer:
    records = [a_record(f"r{n}", text) for n, text in enumerate(texts)]
    return RecallAnswer(hits=tuple(RecallHit(record=one, score=1.0, relevant=relevant) for one in records))


def test_there_are_sixty_questions_of_every_kind_and_none_twice() -> None:
    counts = Counter(one.kind for one in QUESTIONS)
    assert sum(counts.values()) == 60 and set(counts) == {kind for kind, _ in KINDS} and min(counts.values()) >= 10
    assert len({(one.text, one.day) for one in QUESTIONS}) == 60


def test_what_is_wanted_was_said_by_the_person() -> None:
    for question, days in ANSWERED:
        said = " ".join(f"{entry.title} {entry.text}" for entry in days)
        assert all(words in said for words in question.wanted), question.text


def test_an_answer_needs_every_wanted_word_and_nothing_stale() -> None:
    question = Question("update", "Where do I live?", ("Velm",), ("Tarn",))
    assert scored(question, answer("I live in VELM.")).right
    assert not scored(question, answer("I live in Velm.", "I lived in Tarn.")).right
    assert not scored(question, answer("I live somewhere.")).right


def test_what_was_found_and_not_called_relevant_counts_as_found_alone() -> None:
    one = scored(Question("single", "Where do I live?", ("Velm",)), answer("I live in Velm.", relevant=False))
    assert (one.right, one.found) == (False, True)


def test_a_question_without_an_answer_wants_nothing_to_be_relevant() -> None:
    question = Question("abstention", "Who?")
    assert scored(question, answer()).right and scored(question, answer("A", relevant=False)).right
    assert not scored(question, answer("A")).right
    rows = shares([scored(question, answer("A")), scored(question, answer())])
    assert (rows[-1][1].good, rows[-1][1].all) == (1, 2)


@pytest.mark.slow
def test_it_runs_by_rule_and_says_how_many_were_right(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--model", "rules", "--unseen", "--json", str(tmp_path / "score.json")]) == 0
    said = capsys.readouterr().out
    assert "| all |" in said and "failed" not in said
    found = json.loads((tmp_path / "score.json").read_text())
    assert found["model"] == "by rule" and found["score"]["all"][0] >= 6 and len(found["answers"]) == 20
