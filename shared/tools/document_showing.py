"""A document as the tools show it; all of it is data, whatever it says."""

from __future__ import annotations

from typing import Any

from shared.contracts.documents import Document, DocumentStatus

_TABLES, _COLUMNS, _PROBLEMS = 5, 40, 5


def facts(document: Document) -> dict[str, Any]:
    """What a model is told about a document, besides its text."""
    return {
        "document_id": document.id,
        "name": document.name,
        "type": document.type.value,
        "added": document.created_at.date().isoformat(),
        **({"pages": document.pages} if document.pages is not None else {}),
        "characters": document.characters,
        **({} if document.status is DocumentStatus.READY else {"status": document.status.value}),
        **({"error": document.error.message} if document.error else {}),
    }


def tables(document: Document) -> list[dict[str, Any]]:
    """The schemas of its tables, with their first rows."""
    return [
        {
            "table": table.name,
            "columns": [f"{one.name} ({one.type})" for one in table.columns[:_COLUMNS]],
            "rows": table.rows,
            "first_rows": [" | ".join(row.cells[:_COLUMNS]) for row in table.first_rows],
        }
        for table in document.tables[:_TABLES]
    ]


def problems(document: Document) -> list[str]:
    """What of it could not be read."""
    return [f"page {one.page}: {one.message}" if one.page else one.message for one in document.problems[:_PROBLEMS]]
