"""Makes sure that all pieces of a document are there, and hands them on.

The pieces are made when its text is extracted, and the text is nowhere else: what is missing cannot be made here.
"""

from __future__ import annotations

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.source_chunker.schema import Input, Output
from shared.contracts.documents import DocumentStatus
from shared.errors import Conflict, Transient

_WAIT_SECONDS = 60.0


def run(given: Input, desk: Desk) -> Outcome:
    """Raises NotFound, Conflict for a document without its pieces, Transient while they are being made."""
    document = desk.store.documents.get(given.document_id)
    if document.status is DocumentStatus.FAILED:
        raise Conflict(f"The text of {document.name} could not be extracted: there are no pieces.")
    if document.status is not DocumentStatus.READY:
        raise Transient(f"{document.name} is still being extracted.", retry_after_seconds=_WAIT_SECONDS)
    there = desk.store.chunks.count(document.id)
    if there != document.chunks:
        raise Conflict(f"Of {document.chunks} pieces of {document.name} {there} are there: put the document in again.")
    output = Output(document_id=document.id, chunks=there, characters=document.characters)
    if not there:
        return Outcome(output.model_copy(update={"message": "It has no text."}).model_dump())
    return Outcome(output.model_dump(), batch={"tree_summarizer": {"document_id": document.id}})


AGENT = BrainAgent(
    id="source_chunker",
    description="Makes sure that the pieces of a document are there, and hands them on to be summarised.",
    model_class="none",
    input=Input,
    output=Output,
    run=run,
    reads=("documents",),
    writes=("chunks",),
    idempotency_key=lambda given: given.document_id,
)
