"""Where faults meet calls: a gRPC server interceptor and hooks of a Flask application."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import grpc

if TYPE_CHECKING:
    from flask import Flask, Response
    from werkzeug.wrappers import Response as BaseResponse

    from infra.local.faults import Faults

SERVICE_PREFIXES = {
    "google.firestore.": "firestore",
    "google.pubsub.": "pubsub",
    "google.cloud.workflows.": "workflows",
}


class FaultInterceptor(grpc.ServerInterceptor):
    """Refuses calls of services that are away, and loses answers."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    def intercept_service(self, continuation: Callable[[Any], Any], details: grpc.HandlerCallDetails) -> Any:
        handler = continuation(details)
        if handler is None:
            return None
        method = details.method.lstrip("/")
        service = next((name for prefix, name in SERVICE_PREFIXES.items() if method.startswith(prefix)), "")
        if self._faults.is_out(service):
            return _wrapped(handler, _refuse(service))
        if not handler.response_streaming and self._faults.loses_answer(method):
            return _wrapped(handler, _lose(handler.unary_unary or handler.stream_unary, method))
        return handler


def _wrapped(handler: Any, behaviour: Callable[..., Any]) -> Any:
    factory = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    return factory(
        behaviour,
        request_deserializer=handler.request_deserializer,
        response_serializer=handler.response_serializer,
    )


def _refuse(service: str) -> Callable[[Any, grpc.ServicerContext], Any]:
    def refuse(_request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        context.abort(grpc.StatusCode.UNAVAILABLE, f"{service} is away: a fault that was asked for")

    return refuse


def _lose(behaviour: Callable[..., Any], method: str) -> Callable[[Any, grpc.ServicerContext], Any]:
    def lose(request: Any, context: grpc.ServicerContext) -> Any:
        behaviour(request, context)
        context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"the answer of {method} was lost: a fault that was asked for")

    return lose


def install_http(faults: Faults, app: Flask) -> None:
    """503 from blueprints whose service is away; answers that are lost close the connection instead."""
    from flask import abort, request

    @app.before_request
    def refuse() -> None:
        if request.blueprint is not None and faults.is_out(request.blueprint):
            abort(503, f"{request.blueprint} is away: a fault that was asked for")

    @app.after_request
    def lose(response: Response) -> BaseResponse:
        client = request.environ.get("werkzeug.socket")
        if client is not None and faults.loses_answer(f"{request.method} {request.path}"):
            response.close()
            client.shutdown(socket.SHUT_RDWR)
        return response
