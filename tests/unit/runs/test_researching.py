"""What a run found, as research has it from its service."""

from __future__ import annotations

from shared.contracts.runs import NumberedSource
from shared.contracts.sources import Source
from shared.research.report.assemble import assemble
from shared.research.report.draft import draft
from shared.research.report.register import Lookup
from shared.runs.researching import _annotated

TABLE = {
    "1.1": NumberedSource(id="1.1", source=Source(title="lease.pdf", document_id="d1", page=3)),
    "1.2": NumberedSource(id="1.2", source=Source(title="Rye", note_id="n1")),
    "2.1": NumberedSource(id="2.1", source=Source(title="Web", url="https://a.example/x")),
}


def test_notes_pages_and_documents_are_all_cited() -> None:
    said = _annotated("Notice is due in March [1.1]. Rye is quick [1.2, 2.1]. Nobody knows [9.9].", TABLE)
    lookup = Lookup({}, lambda _url: False, {"n1": "Rye"}, {"d1": "lease.pdf"})
    report = assemble(draft([{"type": "model_output", "content": [said]}]), lookup)
    assert report.text == "Notice is due in March [1]. Rye is quick [2][3]. Nobody knows."
    found = [(one.document_id, one.page, one.note_id, one.url) for one in report.citations]
    assert found == [("d1", 3, None, None), (None, None, "n1", None), (None, None, None, "https://a.example/x")]
