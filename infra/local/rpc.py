"""gRPC services from a table of methods, on the message types of Google's own client packages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

import grpc

from infra.local.database import DatabaseClosed, storage_failure
from infra.local.sending import send_all


class RpcError(Exception):
    """A refusal with a gRPC status code; the service's caller sees code and message."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Kind(Enum):
    """How a method streams. What a SERVER_STREAM answers is known as a whole before the first message leaves."""

    UNARY = "unary"
    SERVER_STREAM = "server_stream"
    BIDI_STREAM = "bidi_stream"


@dataclass(frozen=True)
class Method:
    """One RPC: `call(request, context)`; for BIDI_STREAM the request is an iterator of requests.

    `request` and `response` are raw protobuf classes (for a proto-plus class `T`, pass `T.pb()`).
    """

    call: Callable[[Any, grpc.ServicerContext], Any]
    request: Any
    response: Any
    kind: Kind = Kind.UNARY


def service_handler(service: str, methods: dict[str, Method], refused: tuple[str, ...] = ()) -> grpc.GenericRpcHandler:
    """A handler for `service`, e.g. "google.firestore.v1.Firestore"; `refused` methods answer UNIMPLEMENTED by name."""
    table = {name: _handler(method) for name, method in methods.items()}
    table.update({name: grpc.unary_unary_rpc_method_handler(_refusal(service, name)) for name in refused})
    return grpc.method_handlers_generic_handler(service, table)


def _handler(method: Method) -> grpc.RpcMethodHandler[Any, Any]:
    read, write = method.request.FromString, method.response.SerializeToString
    if method.kind is Kind.UNARY:
        return grpc.unary_unary_rpc_method_handler(_unary(method.call), read, write)
    if method.kind is Kind.SERVER_STREAM:
        return grpc.unary_stream_rpc_method_handler(_at_once(method.call, write), read)
    return grpc.stream_stream_rpc_method_handler(_stream(method.call), read, write)


def _unary(call: Callable[[Any, grpc.ServicerContext], Any]) -> Callable[[Any, grpc.ServicerContext], Any]:
    def run(request: Any, context: grpc.ServicerContext) -> Any:
        with _refusals(context):
            return call(request, context)

    return run


def _at_once(
    call: Callable[[Any, grpc.ServicerContext], Any], write: Callable[[Any], bytes]
) -> Callable[[Any, grpc.ServicerContext], Iterator[Any]]:
    def run(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        with _refusals(context):
            messages = [write(message) for message in call(request, context)]
        send_all(context, messages)
        return iter(())

    return run


def _stream(call: Callable[[Any, grpc.ServicerContext], Any]) -> Callable[[Any, grpc.ServicerContext], Iterator[Any]]:
    def run(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        with _refusals(context):
            yield from call(request, context)

    return run


@contextmanager
def _refusals(context: grpc.ServicerContext) -> Iterator[None]:
    """What a method raises as the status that its caller sees."""
    try:
        yield
    except RpcError as error:
        context.abort(error.code, error.message)
    except sqlite3.Error as error:
        _refuse_without_storage(error, context)


def _refuse_without_storage(error: sqlite3.Error, context: grpc.ServicerContext) -> None:
    """UNAVAILABLE while closing, RESOURCE_EXHAUSTED when the disk is to blame. Any other error stays what it is."""
    if isinstance(error, DatabaseClosed):
        context.abort(grpc.StatusCode.UNAVAILABLE, "The local cloud is closing.")
    failure = storage_failure(error)
    if not failure:
        raise error
    context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"the local cloud cannot write its data: {failure}")


def _refusal(service: str, name: str) -> Callable[[bytes, grpc.ServicerContext], bytes]:
    def refuse(_request: bytes, context: grpc.ServicerContext) -> bytes:
        context.abort(grpc.StatusCode.UNIMPLEMENTED, f"{service}/{name} is not implemented by the local cloud")

    return refuse
