"""From pieces to one summary: level by level, each with the pieces it covers, the same however often it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from shared.brain.agents.source_chunker.agent import AGENT as CHUNKER
from shared.brain.agents.tree_summarizer.agent import AGENT as SUMMARIZER
from shared.brain.agents.tree_summarizer.agent import AT_ONCE, GROUP
from shared.contracts.documents import Chunk, ChunkIndex, Document, DocumentStatus, DocumentType
from shared.errors import Conflict, NotFound, Transient
from shared.llm.port import Text
from shared.store.changing import Change
from shared.store.chunks import writing
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from shared.tools.read_document import TOOL, Arguments
from tests.support.desks import a_desk, worked
from tests.support.jobs import job
from tests.support.memories import SAID
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import FakeClock


def put_in(store: WorkspaceStore, database: Database, pieces: int, **fields: Any) -> None:
    given = {"status": DocumentStatus.READY, "chunks": pieces, "created_at": SAID, "updated_at": SAID, **fields}
    document = Document(id="d1", name="Lease.txt", type=DocumentType.TEXT, content_type="text/plain", **given)
    store.documents.change("d1", lambda *_: Change(document.model_dump()), point="test")
    for start in range(0, pieces, 50):
        writes = []
        for n in range(start, min(start + 50, pieces)):
            chunk = Chunk(document_id="d1", n=n, offset=n * 40, text=f"Clause {n} says this. And more of it.")
            writes += writing(chunk, ChunkIndex(document_id="d1", n=n, created_at=SAID), None)
        database.commit(writes, "test")


def climbed(given: Mapping[str, Any], store: WorkspaceStore, clock: FakeClock, database: Database) -> int:
    """Work off the job and what follows from it; how many jobs there were."""
    jobs = [given]
    for count, each in enumerate(jobs, 1):
        assert count < 50
        jobs += [dict(one.input) for one in worked(SUMMARIZER, each, a_desk(store, clock), database).enqueue]
    return len(jobs)


def test_the_chunker_hands_over_a_document_whose_pieces_are_all_there(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    put_in(store, database, 3)
    outcome = worked(CHUNKER, {"document_id": "d1"}, a_desk(store, clock), database)
    assert outcome.batch == {"tree_summarizer": {"document_id": "d1"}} and outcome.output["chunks"] == 3


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"status": DocumentStatus.EXTRACTING}, Transient),
        ({"status": DocumentStatus.FAILED}, Conflict),
        ({"chunks": 9}, Conflict),
    ],
)
def test_a_document_without_its_pieces_is_not_handed_over(
    store: WorkspaceStore, database: Database, clock: FakeClock, fields: dict[str, Any], error: type[Exception]
) -> None:
    put_in(store, database, 2, **fields)
    with pytest.raises(error):
        worked(CHUNKER, {"document_id": "d1"}, a_desk(store, clock), database)


def test_the_tree_ends_in_one_summary_and_each_says_what_it_covers(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    pieces = GROUP * AT_ONCE + 3
    put_in(store, database, pieces)
    for _ in range(2):
        assert climbed({"document_id": "d1"}, store, clock, database) == 4
    first = store.summaries.level("d1", 1, 0, 100)
    assert [one.n for one in first] == list(range(AT_ONCE + 1))
    assert [n for one in first for n in range(one.covers[0], one.covers[1] + 1)] == list(range(pieces))
    top = store.summaries.whole("d1")
    assert top is not None and (top.level, top.n, top.covers) == (3, 0, (0, 1))
    assert "Clause 0 says this." in first[0].text and "And more" not in first[0].text


def test_a_model_writes_the_summaries(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    put_in(store, database, 2)
    with ScriptedModel([Text('{"summary": "Two clauses."}')]) as model:
        outcome = worked(SUMMARIZER, {"document_id": "d1"}, a_desk(store, clock, model), database)
    top = store.summaries.whole("d1")
    assert top is not None and top.text == "Two clauses." and outcome.output["done"] and outcome.model == "scripted-1"


def test_who_reads_a_long_document_gets_the_summary_of_the_whole_once_it_is_made(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    pieces = 500
    put_in(store, database, pieces, characters=pieces * 40)
    worked(SUMMARIZER, {"document_id": "d1"}, a_desk(store, clock), database)
    assert store.summaries.whole("d1") is None
    climbed({"document_id": "d1"}, store, clock, database)
    answer = TOOL.run(job(store, clock), Arguments(document_id="d1"))
    whole = store.summaries.whole("d1")
    assert whole is not None and answer["summary_of_the_whole"] == whole.text and "next_offset" in answer
    assert "summary_of_the_whole" not in TOOL.run(job(store, clock), Arguments(document_id="d1", offset=400))


def test_a_document_that_is_gone_has_no_summary(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    with pytest.raises(NotFound):
        worked(SUMMARIZER, {"document_id": "d1"}, a_desk(store, clock), database)
