"""What the chunker takes and gives."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from shared.contracts.base import Model


class Input(Model):
    document_id: Annotated[str, StringConstraints(min_length=1, max_length=1500)]


class Output(Model):
    document_id: str
    chunks: int
    characters: int
    message: str = ""
