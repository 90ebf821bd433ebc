"""The archive of trace events: what its compaction answers."""

from __future__ import annotations

from pydantic import ConfigDict

from shared.contracts.base import Model


class CompactRequest(Model):
    """POST compact-traces: nothing to say; what the scheduler sends is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CompactAnswer(Model):
    """What one run has compacted; `failed` counts days that are left to the next, and `failures` says which."""

    days: int = 0
    """Of one workspace each."""
    files: int = 0
    events: int = 0
    failed: int = 0
    failures: tuple[str, ...] = ()
    out_of_time: bool = False
