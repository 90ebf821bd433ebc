"""The process in which a page is taken apart: python -m shared.gateway.web.worker html|pdf CHARACTERS < body.

It answers {"title", "text", "cut", "links"} on its standard output, or {"error"}. It imports hardly
anything of ours, and reads what may have been written to break it; whoever started it may end it at any moment.
"""

from __future__ import annotations

import io
import itertools
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

from shared.gateway.fence import fence
from shared.gateway.web.html_text import links_of, readable, title_of, tree_of

_CPU_SECONDS = 20
_MEMORY_BYTES = 1_000_000_000
_FILE_BYTES = 50_000_000
_LINKS = 200
_PAGES = 200


def main() -> None:
    kind, longest = sys.argv[1], int(sys.argv[2])
    fence(cpu_seconds=_CPU_SECONDS, file_bytes=_FILE_BYTES, memory_bytes=_MEMORY_BYTES)
    logging.disable(logging.CRITICAL)
    body = sys.stdin.buffer.read()
    answer = _pdf(body, longest) if kind == "pdf" else _html(body.decode(), longest)
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))


def _html(page: str, longest: int) -> dict[str, object]:
    tree = tree_of(page)
    return {
        **_shortened(title_of(tree), readable(page), longest),
        "links": list(itertools.islice(links_of(tree), _LINKS)),
    }


def _pdf(body: bytes, longest: int) -> dict[str, object]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"error": "The PDF is encrypted."}
        title = reader.metadata.title if reader.metadata else ""
        text, cut = _joined(_pages(reader), longest)
        return {**_shortened(title, text, longest), "cut": cut or len(reader.pages) > _PAGES}
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        # pypdf raises all of these for what is broken
        return {"error": f"The PDF cannot be read ({type(error).__name__})."}


def _pages(reader: Any) -> Iterator[str]:
    for number, page in enumerate(reader.pages[:_PAGES], start=1):
        yield f"[page {number}]\n{page.extract_text()}"


def _joined(pages: Iterator[str], longest: int) -> tuple[str, bool]:
    found, size = [], 0
    for page in pages:
        found.append(page)
        size += len(page)
        if size > longest:
            return "\n\n".join(found)[:longest], True
    return "\n\n".join(found), False


def _shortened(title: str | None, text: str, longest: int) -> dict[str, object]:
    return {"title": " ".join((title or "").split())[:300], "text": text[:longest], "cut": len(text) > longest}


if __name__ == "__main__":
    main()
