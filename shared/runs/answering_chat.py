"""The answer of a run that a chat began is said in that chat: an event of its stream, and a turn of its history."""

from __future__ import annotations

from contextlib import suppress

from shared.contracts.chat import ChatSession, Turn, TurnStatus
from shared.contracts.events import EventType
from shared.contracts.limits import TURN_ANSWER_BYTES
from shared.contracts.runs import AgentRun, RunStatus
from shared.errors import NotFound
from shared.ids import derived
from shared.runs.frames import title_of
from shared.runs.ports import Key, Ports
from shared.store import paths
from shared.store.event_size import cut_text
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot, create

_TEXT_BYTES = 32_000
_STATUS = {
    RunStatus.SUCCEEDED: TurnStatus.COMPLETED,
    RunStatus.FAILED: TurnStatus.FAILED,
    RunStatus.CANCELLED: TurnStatus.CANCELLED,
}


def tell_session(ports: Ports, key: Key, run: AgentRun) -> None:
    """Say in the run's session how it ended, once; then note in the run that it was said. Raises Transient.

    It belongs to no turn that runs there meanwhile: the event names none, and the turn is one of its own.
    """
    if not run.tell_pending or run.session_id is None:
        return
    store = ports.store(key.workspace)
    text = _text(ports, key, run)
    turn_id = derived("turn", run.id)

    def decide(session: ChatSession | None, _found: Snapshot) -> Append | None:
        if session is None or session.deleting or store.chats.find_turn(session.id, turn_id) is not None:
            return None
        return _append(ports, session, run, turn_id, text)

    with suppress(NotFound):  # the session was deleted meanwhile
        store.chats.append(run.session_id, decide, point="run.tell_session")
    store.runs.append(key.run_id, _told, point="run.told")


def _told(run: AgentRun | None, _found: Snapshot) -> Append | None:
    return Append({"tell_pending": False}) if run is not None and run.tell_pending else None


def _append(ports: Ports, session: ChatSession, run: AgentRun, turn_id: str, text: str) -> Append:
    now, n, seq = ports.now(), session.turns + 1, session.seq + 1
    data = {
        "run_id": run.id,
        "goal": run.goal,
        "title": title_of(run.goal),
        "status": run.status.value,
        "stop_reason": run.stop_reason,
        "note_id": run.answer_note_id,
        "text": cut_text(text, _TEXT_BYTES),
    }
    turn = Turn(
        id=turn_id,
        n=n,
        status=_STATUS[run.status],
        text=f"(The run that was asked for has ended. Its goal:)\n{run.goal}",
        first_seq=seq,
        last_seq=seq,
        answer=cut_text(text, TURN_ANSWER_BYTES),
        created_at=now,
        finished_at=now,
        updated_at=now,
        error=run.error,
        stop_reason=run.stop_reason,
    )
    document = create(paths.turn(session.id, turn_id), turn.model_dump())
    return Append({"turns": n, "updated_at": now}, (EventDraft(EventType.RUN_ANSWER, data),), (document,))


def _text(ports: Ports, key: Key, run: AgentRun) -> str:
    """The note of the answer; for a run without one why there is none."""
    note_id = run.answer_note_id
    reading = ports.store(key.workspace).notes.find(note_id) if note_id is not None else None
    body = reading.note.body if reading is not None else ""
    if run.error is not None:
        return f"The run failed: {run.error.message}" + (f"\n\n{body}" if body else "")
    return body or "The run was cancelled."
