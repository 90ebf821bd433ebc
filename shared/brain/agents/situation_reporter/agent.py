"""Writes a note on how things stand, once a day at most: its id derives from the day, and who deleted it is heard."""

from __future__ import annotations

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.situation_reporter.gathering import Situation, gathered
from shared.brain.agents.situation_reporter.listing import listed, title_of
from shared.brain.agents.situation_reporter.schema import Answer, Input, Output
from shared.brain.asking import Question, asked, fenced, prompt_beside
from shared.contracts.events import EventType
from shared.contracts.notes import Note, NoteKind
from shared.contracts.operations import Usage
from shared.ids import derived
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot

TAG = "situation"
_TEXT = 3_000


def run(_given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    now = desk.now()
    note_id = derived("note", desk.store.workspace, TAG, now.date().isoformat())
    if desk.store.notes.find(note_id) is not None or desk.store.trash.find(note_id) is not None:
        return Outcome(Output(note_id=note_id, message="Today's is written.").model_dump())
    situation = gathered(desk.store, now)
    if situation.empty:
        return Outcome(Output(message="There is nothing to tell.").model_dump())
    text, usage = _text(situation, desk)
    note = _note(note_id, situation, text)
    created = _keep(desk, note)
    return Outcome(
        Output(note_id=note_id, created=created, record_ids=situation.record_ids).model_dump(),
        usage=usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _text(situation: Situation, desk: Desk) -> tuple[str, Usage]:
    """What a model writes above the list; nothing by rule."""
    if desk.model is None:
        return "", Usage()
    shown = fenced("situation", f"{title_of(situation)}\n\n{listed(situation)}")
    said = asked(desk.model, desk.cut, Question(prompt_beside(__file__), shown, Answer))
    return said.value.text.strip()[:_TEXT], said.usage


def _note(note_id: str, situation: Situation, text: str) -> Note:
    body = "\n\n".join(part for part in (text, listed(situation)) if part)
    return Note(
        id=note_id,
        kind=NoteKind.REPORT,
        title=title_of(situation),
        body=body,
        body_bytes=len(body.encode()),
        tags=(TAG,),
        created_at=situation.now,
        updated_at=situation.now,
    )


def _keep(desk: Desk, note: Note) -> bool:
    """Create the note, once, with an event that says who wrote it; whether this call did."""

    def decide(stored: NoteReading | None, _current: Snapshot) -> Append | None:
        if stored is not None:
            return None
        fields, parts = body_fields(note.id, note.body)
        event = EventDraft(EventType.NOTE_CREATED, {"by": "memex", "via": "brain/situation_reporter"})
        return Append(note.model_dump(exclude={"seq"}) | fields, (event,), parts)

    return desk.store.notes.append(note.id, decide, point="situation.note", create=True).changed


AGENT = BrainAgent(
    id="situation_reporter",
    description="Writes a note on how things stand, once a day at most.",
    model_class="synthesis",
    input=Input,
    output=Output,
    run=run,
    reads=("focus", "contradictions", "records", "tasks", "operations"),
    writes=("notes",),
    idempotency_key=lambda _: "situation",
    timeout_ms=90_000,
)
