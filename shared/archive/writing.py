"""One trace event into the archive."""

from __future__ import annotations

from shared.archive.names import piece
from shared.gateway.objects import Objects
from shared.trace.received import TraceEvent


class Archive:
    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def event(self, event: TraceEvent) -> None:
        """Write the envelope as JSON; an event that comes again changes nothing. Raises SettingsError, Transient."""
        data = event.envelope.model_dump_json().encode()
        self._objects.put(piece(event), data, "application/json", only_if_absent=True)
