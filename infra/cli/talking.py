"""One chat turn as a client sees it: sent, followed over as many connections as it takes, and cancelled by ctrl-C."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from infra.cli.client import ApiClient, Unreachable
from infra.cli.errors import CliError
from infra.cli.follow import GIVE_UP_SECONDS, PAUSE_SECONDS, SILENCE_SECONDS, records

SESSIONS = "/api/v1/chat/sessions"
EXIT = {"completed": 0, "failed": 1, "cancelled": 3}

Frame = tuple[str, dict[str, Any]]
"""The event's name and its data: delta, draft, trace, done."""


class Talk:
    """A message in a session; `frames` may be read once."""

    def __init__(self, client: ApiClient, session_id: str, text: str, key: str) -> None:
        self._client, self._path, self._text, self._key = client, f"{SESSIONS}/{session_id}", text, key
        self._cursor = 0
        self._turn_id = ""
        self._away_since: datetime | None = None

    def frames(self) -> Iterator[Frame]:
        """Frames of the turn, to its `done`. Raises CliError when it is refused, Unreachable when nobody answers."""
        yield from self._from(self._client.stream_of(
            f"{self._path}/messages", {"text": self._text}, key=self._key, silence_seconds=SILENCE_SECONDS
        ))  # fmt: skip
        while not self._done:
            self._client.clock.sleep(PAUSE_SECONDS)
            yield from self._from(self._again())

    def cancel(self) -> None:
        """End the turn; the stream then ends with it."""
        self._client.post(f"{self._path}/cancel")

    _done = False

    def _again(self) -> Any:
        """The stream after what has come; without anything yet the message is sent again, and joins its turn."""
        if not self._turn_id:
            body = {"text": self._text}
            return self._client.stream_of(
                f"{self._path}/messages", body, key=self._key, silence_seconds=SILENCE_SECONDS
            )
        return self._client.stream(
            f"{self._path}/events", after=self._cursor, silence_seconds=SILENCE_SECONDS, limit_seconds=None
        )

    def _from(self, stream: Any) -> Iterator[Frame]:
        try:
            with stream as chunks:
                for record in records(chunks):  # to its end: behind `done` the conversation is being saved
                    self._away_since = None
                    if "data" in record and not self._done:
                        yield from self._seen(record["event"], json.loads(record["data"]))
        except Unreachable:
            now = self._client.clock.now()
            self._away_since = self._away_since or now
            if now - self._away_since > timedelta(seconds=GIVE_UP_SECONDS):
                raise

    def _seen(self, event: str, data: dict[str, Any]) -> Iterator[Frame]:
        """Each frame of this turn once; another turn's are of no interest here."""
        if event == "trace":
            if data["seq"] <= self._cursor:
                return
            self._cursor = data["seq"]
            if data["type"] == "user_message" and not self._turn_id:
                self._turn_id = data["data"]["turn_id"]
        turn_id = data.get("turn_id") or (data.get("data") or {}).get("turn_id", self._turn_id)
        if turn_id != self._turn_id:
            return
        self._done = event == "done"
        yield event, data


@contextmanager
def cancelled_by(stop: threading.Event, talk: Talk) -> Iterator[None]:
    """While inside, `stop` cancels the turn, from a thread of its own: the reader may be waiting for the model."""
    over = threading.Event()

    def watch() -> None:
        while not stop.wait(0.1):
            if over.is_set():
                return
        try:
            talk.cancel()
        except CliError:  # then the turn ends by itself, or a second ctrl-C ends the command
            return

    thread = threading.Thread(target=watch, name="cancel", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(5.0)
