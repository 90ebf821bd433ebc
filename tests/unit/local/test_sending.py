"""Streamed answers over real gRPC: whole and in order, refused, or left early by the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import BytesValue, Int64Value

from infra.local import sending
from infra.local.rpc import Kind, Method, RpcError, service_handler

SECONDS = 20.0


@contextmanager
def serving(call: Callable[[Any, Any], Any], threads: int = 2) -> Iterator[Callable[..., Any]]:
    """The stub of a method that streams what `call` answers."""
    method = Method(call, Int64Value, BytesValue, Kind.SERVER_STREAM)
    server = grpc.server(ThreadPoolExecutor(threads))
    server.add_generic_rpc_handlers((service_handler("a.Service", {"Ask": method}),))
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    with grpc.insecure_channel(address) as channel:
        yield channel.unary_stream("/a.Service/Ask", Int64Value.SerializeToString, BytesValue.FromString)
    assert server.stop(None).wait(SECONDS), "a call that is over was not forgotten"


def numbered(request: Any, _context: Any) -> Iterator[BytesValue]:
    return (BytesValue(value=f"{number}".encode()) for number in range(request.value))


@pytest.mark.parametrize("count", [0, 1, 2, 3000])
def test_all_messages_arrive_in_order(count: int) -> None:
    with serving(numbered) as ask:
        answer = ask(Int64Value(value=count), timeout=SECONDS)
        assert [int(each.value) for each in answer] == list(range(count))
        assert answer.code() is grpc.StatusCode.OK


def test_calls_at_once_get_their_own_messages() -> None:
    with serving(numbered, threads=4) as ask, ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda count: len(list(ask(Int64Value(value=count), timeout=SECONDS))), range(40))
        assert list(answers) == list(range(40))


def test_a_refusal_sends_no_message() -> None:
    def refuse(_request: Any, _context: Any) -> Iterator[BytesValue]:
        yield BytesValue(value=b"not to be seen")
        raise RpcError(grpc.StatusCode.NOT_FOUND, "gone")

    with serving(refuse) as ask:
        answer = ask(Int64Value(), timeout=SECONDS)
        with pytest.raises(grpc.RpcError) as caught:
            next(answer)
    assert (caught.value.code(), caught.value.details()) == (grpc.StatusCode.NOT_FOUND, "gone")  # type: ignore[attr-defined]


def test_a_caller_who_leaves_gives_the_thread_back() -> None:
    with serving(lambda request, _: [BytesValue(value=bytes(100_000))] * request.value, threads=1) as ask:
        answer = ask(Int64Value(value=1000), timeout=SECONDS)  # far more than fits in the windows
        next(answer)
        answer.cancel()
        assert len(list(ask(Int64Value(value=3), timeout=SECONDS))) == 3


def test_a_caller_who_left_before_the_answer_is_sent_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    left, called, sent = threading.Event(), threading.Event(), threading.Event()

    def slow(request: Any, context: Any) -> list[BytesValue]:
        if request.value == 1:
            context.add_callback(left.set)
            called.set()
            assert left.wait(SECONDS)
        return [BytesValue()]

    def watched(context: Any, messages: Any) -> None:
        sending.send_all(context, messages)
        sent.set()

    monkeypatch.setattr("infra.local.rpc.send_all", watched)
    with serving(slow, threads=1) as ask:
        answer = ask(Int64Value(value=1), timeout=SECONDS)
        assert called.wait(SECONDS)
        answer.cancel()
        assert sent.wait(SECONDS)
        assert len(list(ask(Int64Value(value=2), timeout=SECONDS))) == 1
