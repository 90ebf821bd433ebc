"""What the committer is given and gives back."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from shared.brain.sources import Source
from shared.contracts.base import Model


class Forget(Model):
    """What is to be forgotten: a note or a turn that is gone, all turns of a session, or one record."""

    kind: Literal["note", "turn", "document", "session", "record"]
    id: Annotated[str, Field(min_length=1, max_length=1_500)]


class Input(Model):
    item_ids: tuple[str, ...] = ()
    """Candidates to decide on, in the order in which they were said."""
    siblings: tuple[str, ...] = ()
    """All that were judged together with them; empty: they themselves."""
    round: Annotated[int, Field(ge=0)] = 0
    """How often they were judged anew, because of what was written meanwhile."""
    reread: Source | None = None
    """A source that has changed: what it no longer says loses it."""
    forget: Forget | None = None


class Output(Model):
    admitted: int = 0
    refused: int = 0
    merged: int = 0
    deferred: int = 0
    """Candidates that are judged anew."""
    record_ids: tuple[str, ...] = ()
    """What the candidates became, or were merged into."""
    forgotten: tuple[str, ...] = ()
    """Records that are gone, up to a hundred."""
