"""What the emulated model takes out of the documents of a step."""

from __future__ import annotations

from typing import Any

from infra.local.aiplatform.agent.working import calls_or_text

PAGE = (
    "4. Prices and payment\n4.1 Prices are fixed until 31 December 2026. Invoices are payable in time.\n"
    "4.2 The order system is moved by 12\nOctober 2026 at the latest.\n"
    "Linz and Wels, 22 January 2026. Signed: Jonas Pell"
)


def called(name: str, response: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": [{"functionResponse": {"name": name, "response": response}}]}


def test_deadlines_are_told_with_their_document_and_clause_and_without_headings_and_signatures() -> None:
    document = {
        "name": "supply.pdf",
        "text": [{"page": 1, "text": PAGE}],
        "cite_as": [{"id": "[1.1]", "title": "supply.pdf"}],
    }
    contents = [
        {"role": "user", "parts": [{"text": "<goal>Contracts</goal><task>Every deadline in the contracts</task>"}]},
        called("list_documents", {"documents": [{"document_id": "d1", "name": "supply.pdf"}]}),
        called("read_document", document),
    ]
    assert calls_or_text(contents, ["list_documents", "read_document"]) == (
        "- supply: 4.1 Prices are fixed until 31 December 2026. [1.1]\n"
        "- supply: 4.2 The order system is moved by 12 October 2026 at the latest. [1.1]"
    )


def test_a_document_is_named_by_a_whole_word_and_not_by_letters_within_one() -> None:
    listed = {"documents": [{"document_id": "d1", "name": "supply.pdf"}, {"document_id": "d2", "name": "e"}]}

    def read(task: str) -> list[str]:
        asked = {"role": "user", "parts": [{"text": f"<goal>Contracts</goal><task>{task}</task>"}]}
        made = calls_or_text([asked, called("list_documents", listed)], ["list_documents", "read_document"])
        return [str(one["args"]["document_id"]) for one in made if isinstance(one, dict)]

    assert read("Every deadline in the contracts") == ["d1", "d2"]
    assert read("Every deadline in Supply.pdf, please") == ["d1"]


def test_an_earlier_answer_is_neither_read_nor_told_again() -> None:
    notes = [
        {"note_id": "n1", "kind": "answer", "title": "Prices", "passage": "Tavrolo costs 99 EUR, an answer said."},
        {"note_id": "n2", "kind": "capture", "title": "Tavrolo", "passage": "Tavrolo costs 19 EUR a month."},
    ]
    cited = [{"id": "[1.1]", "title": "Prices"}, {"id": "[1.2]", "title": "Tavrolo"}]
    asked = {"role": "user", "parts": [{"text": "<goal>Prices</goal><task>Find out about Tavrolo</task>"}]}
    found = called("search_notes", {"notes": notes, "cite_as": cited})
    assert calls_or_text([asked, found], ["search_notes", "read_note"]) == [
        {"name": "read_note", "args": {"note_id": "n2"}}
    ]
    assert calls_or_text([asked, found], ["search_notes"]) == "- Tavrolo costs 19 EUR a month. [1.2]"
