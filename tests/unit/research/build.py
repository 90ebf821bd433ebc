"""Builders of what the service sends."""

from __future__ import annotations

from typing import Any

from shared.research.report.assemble import Report, assemble
from shared.research.report.draft import draft
from shared.research.report.register import Lookup


def output(*contents: Any) -> dict[str, Any]:
    return {"type": "model_output", "content": [text(c) if isinstance(c, str) else c for c in contents]}


def text(value: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": value, "annotations": list(annotations)}


def cite(whole: str, span: str, url: str, title: str = "") -> dict[str, Any]:
    """A url_citation of the first place of `span` in `whole`, in bytes."""
    start = len(whole[: whole.index(span)].encode())
    end = start + len(span.encode())
    return {"type": "url_citation", "url": url, "title": title, "start_index": start, "end_index": end}


IMAGE = {"type": "image", "data": "aGVsbG8=", "mime_type": "image/png"}
THOUGHT = {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "Looking at it."}]}


def report(
    *steps: Any,
    notes: dict[str, str] | None = None,
    documents: dict[str, str] | None = None,
    resolved: dict[str, str] | None = None,
    redirects: str = "/redirect",
) -> Report:
    """The report of those steps; links that contain `redirects` are redirects."""
    lookup = Lookup(resolved or {}, lambda url: redirects in url, notes or {}, documents or {})
    return assemble(draft(steps), lookup)
