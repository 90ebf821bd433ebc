"""The worker: a process of its own that opens what strangers made. Time, memory and what it may reach all end.

It reads one JSON object from its standard input, {"job", ...}, and writes one to its standard output: {"ok": ...}, or
{"refused": {reason, message}}. Whoever starts it ends it when its time is over (shared/documents/sandbox.py).
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

_MEMORY_BYTES = 1_500_000_000
_FILE_BYTES = 500_000_000
_REACHING = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto")
_STARTING = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


def main() -> None:
    """Do the one job that standard input names."""
    asked = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    fence(asked["seconds"], bounded=asked["job"] not in UNBOUNDED)
    try:
        answer = {"ok": JOBS[asked["job"]](asked)}
    except Refused as refusal:
        answer = {"refused": {"reason": refusal.reason, "message": refusal.message}}
    except (MemoryError, RecursionError):
        answer = {"refused": {"reason": "unreadable", "message": "The file asks for more memory than any document."}}
    json.dump(answer, out)
    out.flush()
    os._exit(0)  # no library gets to say a last word


def fence(seconds: float, *, bounded: bool = True) -> None:
    """From now on no network, no other process, and only so much time, disk and (where `bounded`) memory."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    except (ImportError, ValueError, OSError):
        pass  # not every system has all of them; the deadline and the hook hold everywhere
    sys.addaudithook(_hook)


def _hook(event: str, _arguments: tuple[Any, ...]) -> None:
    if event in _REACHING or event in _STARTING:
        raise PermissionError(f"a worker may not: {event}")


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
