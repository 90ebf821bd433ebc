"""A person asks for research in so many words, in the chat or by approving it: claimed like a tag, once."""

from __future__ import annotations

from contextlib import suppress

from shared.contracts.notes import NoteKind
from shared.errors import InputError, Transient
from shared.research.launching import Launching
from shared.research.opening import NoteNow, Tagging, note_now, open_operation
from shared.research.ports import Ports
from shared.store.effects import Effect, rfc3339


class Asking:
    def __init__(self, ports: Ports, launching: Launching) -> None:
        self._ports, self._launching = ports, launching

    def start(self, workspace: str, note_id: str, effect: Effect) -> str:
        """The id of the operation that researches the note; one that runs already is joined.

        Raises NotFound, InputError for a note that is no capture, Stale, Transient.
        """
        known = effect.effects.find(effect.key)
        operation_id = str(known["operation_id"]) if known is not None else self._open(workspace, note_id, effect)
        with suppress(Transient):  # the operation is there: what its start needs now, on_work_created comes again for
            self._launching.ensure(workspace, operation_id)
        return operation_id

    def _open(self, workspace: str, note_id: str, effect: Effect) -> str:
        now = note_now(self._ports, workspace, note_id)
        self._check(now, effect)
        tagging = Tagging(
            workspace, note_id, now.reading.name, now.update_time, cause=effect.key, asked_by="hand", effect=effect
        )
        opened = open_operation(self._ports, tagging)
        operation_id = opened.operation.id if opened is not None else tagging.operation_id
        return str(effect.settle({"operation_id": operation_id, "note_id": note_id})["operation_id"])

    @staticmethod
    def _check(now: NoteNow, effect: Effect) -> None:
        if now.reading.note.kind is not NoteKind.CAPTURE or "kind" in now.reading.invalid:
            raise InputError("Only captured notes are researched, not what Memex wrote itself.", field="note_id")
        effect.check_revision(rfc3339(now.update_time))
