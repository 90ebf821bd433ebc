"""Following a session from the store: its events after a cursor, the text being written, and the end of each turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shared.chat import frames, showing
from shared.clock import Clock
from shared.contracts.chat import ChatSession, Draft, TextSoFar
from shared.contracts.events import Event, EventType
from shared.errors import NotFound, Transient
from shared.store import paths
from shared.store.workspace import WorkspaceStore
from shared.trace import sse
from shared.trace.tail import HEARTBEAT_SECONDS, PAGE, QUICK_SECONDS, RETRY_MILLISECONDS, SLOW_SECONDS

IDLE_SECONDS = 10.0
"""So long a stream of a session in which no turn runs waits for the next one: each open one costs an instance."""
IDLE_RETRY_MILLISECONDS = 20_000


@dataclass
class Follower:
    """One subscriber's way through a session's stream; `cursor` is the last event it was given."""

    store: WorkspaceStore
    session_id: str
    clock: Clock
    cursor: int
    until_turn: str | None = None
    """The stream ends with this turn."""
    html: bool = False
    """Written text comes with its HTML beside it."""
    over: bool = False
    """The turn it was to end with has ended, and its `done` was given."""
    _draft: tuple[str, int, str] = ("", 0, "")

    def frames(self, seconds: float) -> Iterator[str]:
        """Events, drafts and ends as they come, and on into the next turn; ends with `retry:` after `seconds`.

        It ends at once when the session is deleted, and with `retry:` when the store is away. Where it waits for no
        turn of its own it ends soon once none runs, with a longer `retry:`.
        """
        opened = sent = busy = self.clock.now()
        pause = QUICK_SECONDS
        while (self.clock.now() - opened).total_seconds() < seconds:
            try:
                session = self.store.chats.find(self.session_id)
                if session is None:
                    return
                came = False
                for frame in self._news(session):
                    yield frame
                    came, sent = True, self.clock.now()
            except NotFound:
                return
            except Transient:
                break
            if self.over:
                return
            if came or session.turn is not None or self.until_turn is not None:
                busy = self.clock.now()
            elif (self.clock.now() - busy).total_seconds() >= IDLE_SECONDS:
                yield sse.retry(IDLE_RETRY_MILLISECONDS)
                return
            silent = (self.clock.now() - sent).total_seconds()
            if silent >= HEARTBEAT_SECONDS:
                yield sse.HEARTBEAT
                sent, silent = self.clock.now(), 0.0
            quick = came or session.turn is not None
            pause = QUICK_SECONDS if quick else min(SLOW_SECONDS, pause * 1.5)
            self.clock.sleep(min(pause, max(HEARTBEAT_SECONDS - silent, 0.05)))
        yield sse.retry(RETRY_MILLISECONDS)

    def events(self, found: tuple[Event, ...]) -> Iterator[str]:
        """The frames of events that were committed, each once and in order; what lies before them is read.

        Raises NotFound when the session is deleted meanwhile, Transient when the store is away.
        """
        for event in found:
            if event.seq > self.cursor + 1:
                yield from self._stored(event.seq - 1)
            if event.seq > self.cursor:
                yield from self._event(event)

    def _news(self, session: ChatSession) -> Iterator[str]:
        if session.seq > self.cursor:
            yield from self._stored(session.seq)
        turn = session.turn
        if turn is None or self.over:
            return
        draft = self.store.chats.draft(self.session_id, turn.id)
        if draft is not None and draft.iteration > turn.iteration and draft.text:
            text = (turn.id, draft.iteration, draft.text)
            if text != self._draft:
                self._draft = text
                yield frames.draft(self._piece(turn.id, draft))

    def _piece(self, turn_id: str, draft: Draft) -> TextSoFar:
        html = ""
        if self.html:
            from shared.markdown import html as rendered

            html = rendered(draft.text)
        return TextSoFar(turn_id=turn_id, iteration=draft.iteration, text=draft.text, html=html)

    def _stored(self, last: int) -> Iterator[str]:
        """The events up to `last`, from the store."""
        while self.cursor < last:
            page = self.store.streams.page(paths.session(self.session_id), after=self.cursor, limit=PAGE)
            for event in page.events:
                yield from self._event(event)
                if self.over:
                    return
            self.cursor = max(self.cursor, page.cursor)
            if not page.more:
                return

    def _event(self, event: Event) -> Iterator[str]:
        ended = str(event.data.get("turn_id")) if event.type == EventType.TURN_ENDED else None
        # Read before the event is given: who has the event asks for what comes after it, and would never get `done`.
        done = showing.done(self.store, self.session_id, ended) if ended is not None else None
        self.cursor = event.seq
        yield sse.frame(showing.shown(event, self.session_id, html=self.html))
        if done is not None:
            yield frames.done(done)
            self.over = ended == self.until_turn
