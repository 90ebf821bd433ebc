"""A person asks for research in so many words, in the chat or by approving it: claimed like a tag, once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from shared.contracts.notes import NoteKind
from shared.errors import InputError, Transient
from shared.operations.launching import Launching
from shared.research.opening import NoteNow, Opened, Tagging, note_now, open_operation
from shared.research.planning.choosing import check
from shared.research.ports import Ports
from shared.research.tags import plan_wanted
from shared.store.effects import Effect, rfc3339


class Asking:
    def __init__(self, ports: Ports, launching: Launching) -> None:
        self._ports, self._launching = ports, launching

    def start(self, workspace: str, note_id: str, effect: Effect, *, plan: bool | None = None) -> str:
        """The id of the operation that researches the note; one that runs already is joined.

        `plan`: whether its plan is shown first; None is as the note's tags, or the workspace, have it. Raises NotFound,
        InputError for a note that is no capture and for a plan where there are none, Stale, Transient.
        """
        check(self._ports, plan)
        known = effect.effects.find(effect.key)
        opened = self._open(workspace, note_id, effect, plan) if known is None else None
        with suppress(Transient):  # the operation is there: whatever its start needs, on_work_created comes for it
            if opened is not None and opened.new:
                return self._launching.start(workspace, opened.operation).id
            operation_id = _answered(known, opened, effect)
            return self._launching.ensure(workspace, operation_id).id
        return _answered(known, opened, effect)

    def _open(self, workspace: str, note_id: str, effect: Effect, plan: bool | None) -> Opened | None:
        """What answers the call; None where another caller with the same key has just been faster."""
        now = note_now(self._ports, workspace, note_id)
        self._check(now, effect)
        tagging = Tagging(
            workspace,
            note_id,
            now.reading.name,
            now.update_time,
            cause=effect.key,
            asked_by="hand",
            plan=plan_wanted(now.reading) if plan is None else plan,
            effect=effect,
        )
        return open_operation(self._ports, tagging)

    @staticmethod
    def _check(now: NoteNow, effect: Effect) -> None:
        if now.reading.note.kind is not NoteKind.CAPTURE or "kind" in now.reading.invalid:
            raise InputError("Only captured notes are researched, not what Memex wrote itself.", field="note_id")
        effect.check_revision(rfc3339(now.update_time))


def _answered(known: Mapping[str, Any] | None, opened: Opened | None, effect: Effect) -> str:
    """The operation that the effect led to, now or before."""
    if opened is not None:
        return opened.operation.id
    answer = known if known is not None else effect.effects.find(effect.key)
    if answer is None:
        raise Transient("The note's research changes faster than it can be read: try again.")
    return str(answer["operation_id"])
