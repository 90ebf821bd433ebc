"""The sample notes, and the deadline of the demonstration."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from infra.cli.demo.memex import sample_notes
from shared.contracts.notes import RESEARCH_TAG, NoteCreate


def test_there_are_twenty_notes_and_one_asks() -> None:
    notes = sample_notes()
    assert len(notes) == 20
    assert [note.name for note in notes if note.is_question] == ["second-battery"]
    assert not [note.name for note in notes if RESEARCH_TAG in note.tags]


@pytest.mark.parametrize("note", sample_notes(), ids=lambda note: note.name)
def test_a_sample_note_is_one_the_api_takes_and_of_a_real_length(note: object) -> None:
    sample = next(item for item in sample_notes() if item == note)
    NoteCreate(title=sample.title, body=sample.body, tags=sample.tags)
    assert 100 <= len(sample.body.split()) <= 1500


def test_every_link_between_notes_leads_somewhere() -> None:
    notes = sample_notes()
    links = {link for note in notes for link in re.findall(r"\[\[([^]]+)\]\]", note.body)}
    assert links and links <= {note.title for note in notes}


def test_what_hangs_ends_with_a_sentence() -> None:
    code = (
        "import threading; from infra.cli.demo.deadline import deadline; from infra.cli.errors import CliError\n"
        "try:\n    with deadline(0.2): threading.Event().wait(30)\n"
        "except CliError as error: print(error.message)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert "did not end within 0.2 s" in done.stdout


def test_a_thread_that_was_left_behind_does_not_keep_the_process() -> None:
    code = (
        "import threading; from infra.cli.demo import deadline; from infra.cli.errors import CliError\n"
        "deadline.CLEAN_UP_SECONDS = 0.3\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "try:\n    with deadline.deadline(0.2): threading.Event().wait(30)\n"
        "except CliError as error: print(error.message, flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and "did not end within 0.2 s" in done.stdout
