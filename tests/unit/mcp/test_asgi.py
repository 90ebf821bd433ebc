"""One request through an ASGI application, in a server that speaks WSGI."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from shared.errors import Transient
from shared.mcp.asgi import Application, answer

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


def a_request() -> Request:
    builder = EnvironBuilder("/mcp?a=1", method="POST", headers={"X-One": "é", "Host": "h:1"}, data=b"unread")
    return Request(builder.get_environ())


def test_the_application_sees_the_request_and_its_answer_comes_back_whole() -> None:
    seen: dict[str, Any] = {}

    async def echo(scope: Any, receive: Receive, send: Send) -> None:
        message = await receive()
        seen.update(scope, given=message)
        await send({"type": "http.response.start", "status": 201, "headers": [(b"x-two", b"\xe9")]})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        await send({"type": "http.response.body", "body": b"b"})

    response = answer(echo, a_request(), b"body", seconds=5)
    assert (response.status_code, response.data, response.headers["X-Two"]) == (201, b"ab", "é")
    assert seen["given"] == {"type": "http.request", "body": b"body", "more_body": False}
    assert (seen["method"], seen["path"], seen["query_string"]) == ("POST", "/mcp", b"a=1")
    assert {(b"x-one", b"\xe9"), (b"host", b"h:1")} <= set(seen["headers"])


async def _waits_for_more(_scope: Any, receive: Receive, _send: Send) -> None:
    await receive()
    await receive()


async def _says_nothing(_scope: Any, _receive: Receive, _send: Send) -> None:
    await asyncio.sleep(0)


@pytest.mark.parametrize(("application", "said"), [(_waits_for_more, "longer than"), (_says_nothing, "not answered")])
def test_an_application_that_never_answers_is_given_up(application: Application, said: str) -> None:
    with pytest.raises(Transient, match=said):
        answer(application, a_request(), b"", seconds=0.05)


def test_what_the_application_raises_is_raised() -> None:
    async def fails(_scope: Any, _receive: Receive, _send: Send) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        answer(fails, a_request(), b"", seconds=5)
