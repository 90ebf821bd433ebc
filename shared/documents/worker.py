"""The worker: a process of its own that opens what strangers made. Time, memory and what it may reach all end.

It reads one JSON object from its standard input, {"job", ...}, and writes one to its standard output: {"ok": ...}, or
{"refused": {reason, message}}. Whoever starts it ends it when its time is over (shared/gateway/sandbox.py).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shared.contracts.documents import DocumentType
from shared.documents.parsers.reading import Parser, Wanted
from shared.documents.refusals import Refused
from shared.gateway.fence import fence

_MEMORY_BYTES = 1_500_000_000
_FILE_BYTES = 500_000_000


def main() -> None:
    """Do the one job that standard input names."""
    asked = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    memory = None if asked["job"] in UNBOUNDED else _MEMORY_BYTES
    fence(cpu_seconds=int(asked["seconds"]) + 1, file_bytes=_FILE_BYTES, memory_bytes=memory)
    try:
        answer = {"ok": JOBS[asked["job"]](asked)}
    except Refused as refusal:
        answer = {"refused": {"reason": refusal.reason, "message": refusal.message}}
    except (MemoryError, RecursionError):
        answer = {"refused": {"reason": "unreadable", "message": "The file asks for more memory than any document."}}
    json.dump(answer, out)
    out.flush()
    os._exit(0)  # no library gets to say a last word


def _parser(kind: DocumentType) -> Parser:
    """Each loads its library when it is asked for."""
    if kind is DocumentType.PDF:
        from shared.documents.parsers import pdf

        return pdf.read
    if kind is DocumentType.DOCX:
        from shared.documents.parsers import word

        return word.read
    if kind in (DocumentType.XLSX, DocumentType.CSV):
        from shared.documents.parsers import sheets

        return sheets.read_xlsx if kind is DocumentType.XLSX else sheets.read_csv
    if kind is DocumentType.HTML:
        from shared.documents.parsers import web

        return web.read
    from shared.documents.parsers import plain

    return plain.read


def _read(asked: Mapping[str, Any]) -> dict[str, Any]:
    wanted = Wanted(Path(asked["path"]), asked["first"], asked["count"])
    return asdict(_parser(DocumentType(asked["type"]))(wanted))


def _query(asked: Mapping[str, Any]) -> dict[str, Any]:
    from shared.documents.querying import query

    return query(asked)


def _draw(asked: Mapping[str, Any]) -> dict[str, Any]:
    from shared.documents.drawing import draw

    return draw(asked)


JOBS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {"read": _read, "query": _query, "draw": _draw}
UNBOUNDED = frozenset({"draw"})
"""It has its data from us, and an engine that reserves more addresses than there is memory."""

if __name__ == "__main__":
    main()
