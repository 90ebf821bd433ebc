"""A grpc.Channel in process: Google's clients talk to the parts' own handlers, as bytes, without a port."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple
from unittest.mock import patch

import grpc

from infra.local import rpc

Carry = Callable[[str, float | None, Callable[[], list[bytes]]], list[bytes]]
"""(method, timeout in seconds, apply) to the answer: how a call travels, and what goes wrong with it on the way."""


class CallFailed(grpc.RpcError, grpc.Call):
    """What a client sees of a call that failed."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def initial_metadata(self) -> tuple[()]:
        return ()

    def trailing_metadata(self) -> tuple[()]:
        return ()

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> float:
        return 0.0

    def cancel(self) -> bool:
        return False

    def add_callback(self, callback: Callable[[], None]) -> bool:
        return False

    def result(self, timeout: float | None = None) -> Any:
        raise self

    def exception(self, timeout: float | None = None) -> grpc.RpcError | None:
        return self


class _Done(CallFailed):
    """The call of an answer that came."""

    def __init__(self, answer: Any) -> None:
        super().__init__(grpc.StatusCode.OK, "")
        self._answer = answer

    def result(self, timeout: float | None = None) -> Any:
        return self._answer

    def exception(self, timeout: float | None = None) -> None:
        return None


class _Context:
    """As much of a ServicerContext as the parts use."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        """Messages of a stream that were sent below the method's own way."""

    def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise CallFailed(code, details)

    def is_active(self) -> bool:
        return True

    def add_callback(self, callback: Callable[[], None]) -> bool:
        return True

    def invocation_metadata(self) -> tuple[()]:
        return ()


def streams_kept() -> AbstractContextManager[Any]:
    """Inside, what the parts send below gRPC's own way stays in the context of the call."""
    return patch.object(rpc, "send_all", _keep)


def _keep(context: _Context, messages: Iterable[bytes]) -> None:
    context.sent.extend(messages)


class _Details(NamedTuple):
    method: str
    invocation_metadata: tuple[()] = ()


class Server:
    """The handlers of all parts, by method."""

    def __init__(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        self._handlers = handlers
        self._known: dict[str, Any] = {}

    def apply(self, method: str, request: bytes) -> list[bytes]:
        """Have the call done, in one go; the serialized answers. Raises CallFailed."""
        handler = self._handler(method)
        context = _Context()
        message = handler.request_deserializer(request) if handler.request_deserializer else request
        if not handler.response_streaming:
            return [handler.response_serializer(handler.unary_unary(message, context))]
        rest = handler.unary_stream(message, context)
        return [*context.sent, *(handler.response_serializer(answer) for answer in rest)]

    def _handler(self, method: str) -> Any:
        if method not in self._known:
            details: Any = _Details(method)
            found = next((h for each in self._handlers if (h := each.service(details)) is not None), None)
            if found is None or found.request_streaming:
                raise CallFailed(grpc.StatusCode.UNIMPLEMENTED, f"{method} is not simulated")
            self._known[method] = found
        return self._known[method]


class SimChannel(grpc.Channel):
    """Where `server` and `carry` belong to the world of the moment, so that clients outlive worlds."""

    def __init__(self) -> None:
        self.server: Server | None = None
        self.carry: Carry = _straight
        self.applied: Callable[[str, bytes], None] = lambda _method, _request: None

    def call(self, method: str, request: bytes, timeout: float | None) -> list[bytes]:
        server = self.server
        if server is None:
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, "there is no world")

        def apply() -> list[bytes]:
            answer = server.apply(method, request)
            self.applied(method, request)
            return answer

        return self.carry(method, timeout, apply)

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, _registered: Any = False
    ) -> Any:
        return _Unary(self, method, request_serializer, response_deserializer)

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, _registered: Any = False
    ) -> Any:
        return _Stream(self, method, request_serializer, response_deserializer)

    def stream_unary(self, method: str, *_: Any, **__: Any) -> Any:
        return _refused(method)

    def stream_stream(self, method: str, *_: Any, **__: Any) -> Any:
        return _refused(method)

    def subscribe(self, callback: Any, try_to_connect: bool | None = False) -> None:
        """Connectivity never changes, so nobody is ever told."""
        del callback, try_to_connect

    def unsubscribe(self, callback: Any) -> None:
        """See `subscribe`."""

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> SimChannel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Unary:
    def __init__(self, channel: SimChannel, method: str, serialize: Any, deserialize: Any) -> None:
        self._channel, self._method = channel, method
        self._serialize, self._deserialize = serialize, deserialize

    def __call__(self, request: Any, timeout: float | None = None, **_: Any) -> Any:
        (answer,) = self._channel.call(self._method, self._serialize(request), timeout)
        return self._deserialize(answer)

    def with_call(self, request: Any, timeout: float | None = None, **options: Any) -> Any:
        answer = self(request, timeout, **options)
        return answer, _Done(answer)


class _Stream(_Unary):
    def __call__(self, request: Any, timeout: float | None = None, **_: Any) -> Any:
        answers = self._channel.call(self._method, self._serialize(request), timeout)
        return _Answers(self._deserialize(answer) for answer in answers)


class _Answers(_Done):
    """A stream of answers that have all come."""

    def __init__(self, answers: Iterator[Any]) -> None:
        super().__init__(None)
        self._answers = answers

    def __iter__(self) -> _Answers:
        return self

    def __next__(self) -> Any:
        return next(self._answers)


def _straight(_method: str, _timeout: float | None, apply: Callable[[], list[bytes]]) -> list[bytes]:
    return apply()


def _refused(method: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise CallFailed(grpc.StatusCode.UNIMPLEMENTED, f"{method} is not simulated")

    return refuse
