"""Watching over a worker's hold: its lease is renewed while it works; it is stopped when the turn is another's."""

from __future__ import annotations

from datetime import timedelta

from shared.chat.holding import Halted, Held
from shared.chat.ports import Ports
from shared.errors import MemexError, Transient

LOOK_SECONDS = 0.5
"""A cancel by another process is noticed after so long; the worker's sockets are shut then."""
_RENEWED_AFTER = 0.25
"""Of the lease: a worker that has committed nothing for so long says that it lives."""


def watch(ports: Ports, held: Held) -> None:
    """Return when the worker has let go of the turn; cut it when it has lost it. Runs beside the worker."""
    lease = timedelta(seconds=ports.settings.chat_lease_seconds)
    while not held.over.is_set():
        ports.clock.sleep(LOOK_SECONDS)
        if held.over.is_set() or held.ended or held.cut.reason:
            return
        try:
            if not held.owns(held.store.chats.find(held.key.session_id)):
                held.cut.cut("lost")
            elif ports.now() - held.renewed_at > lease * _RENEWED_AFTER:
                held.renew()
        except Halted:
            return
        except Transient:
            if ports.now() - held.renewed_at > lease:  # another may have it by now, and nobody can be asked
                held.cut.cut("lost")
        except MemexError:  # the session's document is none any more
            held.cut.cut("lost")
