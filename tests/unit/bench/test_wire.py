"""The bare reader of answers sees what a gRPC client sees."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from bench.wire import Reader

METHOD = "/test.Service/Stream"
SIZES = (0, 10, 70_000, 300_000)


def _stream(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
    if request == b"refuse":
        context.abort(grpc.StatusCode.INTERNAL, "no")
    yield from (b"x" * size for size in SIZES * int(request))


@pytest.fixture
def address() -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(2))
    handlers: dict[str, Any] = {"Stream": grpc.unary_stream_rpc_method_handler(_stream)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Service", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None).wait(5)


def test_every_message_of_each_answer_is_counted_also_beyond_the_usual_windows(address: str) -> None:
    with Reader(address) as reader:
        assert [reader.call(METHOD, str(times).encode()) for times in (1, 0, 8, 1)] == [4, 0, 32, 4]


def test_an_answer_of_a_refused_call_has_no_messages(address: str) -> None:
    with Reader(address) as reader:
        assert reader.call(METHOD, b"refuse") == 0


def test_a_server_that_goes_is_an_error() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with Reader(f"127.0.0.1:{port}") as reader:
        server.stop(None).wait(5)
        with pytest.raises((EOFError, ConnectionError)):
            reader.call(METHOD, b"1")
