"""A workspace taken out and in again, as the command line does it, without the command line."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from google.cloud.firestore_v1 import Client

from shared.contracts.portability import ExportAnswer, ImportBegin, ImportDocuments, ImportResult, PortableDocument
from shared.portability.exporting import Exporting
from shared.portability.importing import Importing
from shared.store.raw import RawDocuments
from shared.store.typed import line_of
from tests.support.seams import CountingIds

_names = itertools.count(1)


def fresh() -> str:
    """The name of a workspace that nobody has used."""
    return f"moved{next(_names)}"


def exporting(client: Client, workspace: str) -> Exporting:
    return Exporting(RawDocuments(client, workspace), workspace, CountingIds("export"), objects=False)


def importing(client: Client, workspace: str) -> Importing:
    return Importing(RawDocuments(client, workspace), workspace)


def pages(
    client: Client, workspace: str, begun: ExportAnswer, collection: str
) -> Iterator[tuple[PortableDocument, ...]]:
    cursor = None
    while True:
        page = exporting(client, workspace).page(collection, begun.at, cursor)
        yield page.documents
        cursor = page.next_cursor
        if cursor is None:
            return


def exported(client: Client, workspace: str, begun: ExportAnswer | None = None) -> dict[str, list[str]]:
    """The lines of each file that has any, of that moment or of now."""
    begun = begun or exporting(client, workspace).begin()
    files = {
        name: [line_of(one.path, one.fields) for page in pages(client, workspace, begun, name) for one in page]
        for name in begun.collections
    }
    return {name: lines for name, lines in files.items() if lines}


def move(
    client: Client, source: str, target: str, *, merge: bool = False, begun: ExportAnswer | None = None
) -> list[ImportResult]:
    """What became of each document of `source` in `target`."""
    begun = begun or exporting(client, source).begin()
    into = importing(client, target)
    into.begin(ImportBegin(export_id=begun.export_id, merge=merge))
    results: list[ImportResult] = []
    for name in begun.collections:
        for page in pages(client, source, begun, name):
            for start in range(0, len(page), 200):
                documents = page[start : start + 200]
                results += into.documents(ImportDocuments(export_id=begun.export_id, documents=documents)).results
    into.end(begun.export_id)
    return results


def outcomes(results: list[ImportResult]) -> Counter[str]:
    return Counter(one.outcome.value for one in results)
