"""Server-Sent Events (WHATWG HTML, 9.2): the frames of a trace stream."""

from __future__ import annotations

from shared.contracts.events import Envelope

OPENED = ": open\n\n"
"""Sent at once, so that whatever lies between lets the headers through."""
HEARTBEAT = ": heartbeat\n\n"


def frame(envelope: Envelope) -> str:
    """One event; the seq is the id that a client gives back as Last-Event-ID."""
    return f"id: {envelope.seq}\nevent: trace\ndata: {envelope.model_dump_json()}\n\n"


def retry(milliseconds: int) -> str:
    """How long to wait before coming back with Last-Event-ID."""
    return f"retry: {milliseconds}\n\n"
