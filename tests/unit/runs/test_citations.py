"""From ids to numbers."""

from __future__ import annotations

from shared.contracts.runs import NumberedSource
from shared.contracts.sources import Source
from shared.runs.citations import cited
from shared.runs.citing import SourceTable

TABLE = {
    "1.1": NumberedSource(id="1.1", source=Source(title="Rye [1]", note_id="n1", passage="p")),
    "2.1": NumberedSource(id="2.1", source=Source(title="The same note", note_id="n1")),
    "2.2": NumberedSource(id="2.2", source=Source(title="Contract", document_id="d1", page=3)),
    "3.1": NumberedSource(id="3.1", source=Source(title="Web", url="https://a.example/x?q=(1)")),
}


def test_sources_are_numbered_in_the_order_of_the_text_and_each_once() -> None:
    found = cited("Web first [3.1]. Then the note [1.1, 2.1] and the page [2.2][3.1].", TABLE)
    assert found.text == "Web first [1]. Then the note [2] and the page [3] [1]."
    assert [(one.n, one.note_id, one.document_id, one.url) for one in found.citations] == [
        (1, None, None, "https://a.example/x?q=(1)"),
        (2, "n1", None, None),
        (3, None, "d1", None),
    ]
    assert found.ids == ("3.1", "1.1", "2.2") and found.dropped == 0


def test_what_is_in_no_table_leaves_no_mark_and_is_counted() -> None:
    found = cited("True [1.1; 9.9]. Made up [8.8]. A link [1.1](https://evil.example) stays text.", TABLE)
    assert found.text == "True [1]. Made up. A link [1.1](https://evil.example) stays text."
    assert found.dropped == 2


def test_the_list_of_sources_names_each_so_that_no_title_breaks_out() -> None:
    body = cited("a [1.1] b [2.2] c [3.1]", TABLE).body
    assert "1. [Rye \\[1\\]](memex://notes/n1)" in body
    assert "2. Contract, page 3" in body
    assert "3. [Web](https://a.example/x?q=%281%29)" in body


def test_a_text_without_citations_has_no_list() -> None:
    assert cited("Nothing.", TABLE).body == "Nothing."


def test_a_source_that_is_met_again_keeps_its_id_and_the_longer_passage() -> None:
    table = SourceTable(2, ())
    first = table.numbered([Source(title="A", note_id="a", passage="short"), Source(title="B", note_id="b")])
    again = table.numbered([Source(title="A", note_id="a", passage="much longer")])
    assert [one.id for one in first] == ["2.1", "2.2"] and [one.id for one in again] == ["2.1"]
    assert next(one for one in table.all() if one.id == "2.1").source.passage == "much longer"


def test_a_table_goes_on_after_a_worker_was_lost() -> None:
    known = SourceTable(1, ()).numbered([Source(title="A", note_id="a")])
    assert [one.id for one in SourceTable(1, known).numbered([Source(title="C", note_id="c")])] == ["1.2"]


def test_a_step_has_a_bounded_number_of_sources() -> None:
    table = SourceTable(1, ())
    table.numbered([Source(title=str(n), note_id=str(n)) for n in range(100)])
    assert len(table.all()) == 60
