"""Answers of many messages, each sent by gRPC's polling thread as soon as the one before it has left.

grpc's own way wakes the method's thread for every message and the polling thread after it: most of a query's time.
It reaches below grpc's public names; docs/decisions/2026-11-30-streamed-answers.md says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grpc import _server
from grpc._cython import cygrpc  # type: ignore[attr-defined]  # compiled, without stubs

_SENDING = "send_messages"
_NO_FLAGS = 0


def send_all(context: Any, messages: Iterable[bytes]) -> None:
    """Send serialized messages as the answer; returns when the last has left, or the caller is gone."""
    _Sending(context, messages).run()


class _Sending:
    """The messages of one answer, one under way at a time, as gRPC wants it."""

    def __init__(self, context: Any, messages: Iterable[bytes]) -> None:
        self._state, self._call = context._state, context._rpc_event.call
        self._left = iter(messages)

    def run(self) -> None:
        state = self._state
        with state.condition:
            if not _server._is_rpc_state_active(state):
                return
            if not self._start_next(cygrpc.SendInitialMetadataOperation(None, _NO_FLAGS)):
                return
            state.initial_metadata_allowed = False
            state.due.add(_SENDING)
            while _SENDING in state.due:
                state.condition.wait()  # gRPC ends every operation, that of a caller who is gone too

    def _start_next(self, *before: Any) -> bool:
        message = next(self._left, None)
        if message is None:
            return False
        self._call.start_server_batch((*before, cygrpc.SendMessageOperation(message, _NO_FLAGS)), self._sent)
        return True

    def _sent(self, _event: Any) -> Any:
        """Called by the polling thread; it answers what gRPC's callbacks do: the state if the call is over."""
        state = self._state
        with state.condition:
            if _server._is_rpc_state_active(state) and self._start_next():
                return None, ()
            state.condition.notify_all()
            return _server._possibly_finish_call(state, _SENDING)
