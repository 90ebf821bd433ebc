"""What makes a waiting thread go on: timers for sleeps, worker threads for HTTP, timeouts for both kinds of answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from infra.local.workflows.errors import Raised, TokenError, failure
from infra.local.workflows.live import Live
from infra.local.workflows.machine import http_call
from infra.local.workflows.machine.state import CallbackWait, HttpWait, SleepWait, Wait
from infra.local.workflows.ports import HttpRequest
from infra.local.workflows.values import Value

if TYPE_CHECKING:
    from infra.local.workflows.engine import Engine


def arm(engine: Engine, live: Live, wait: Wait) -> None:
    """Set going what will end a wait. The caller holds the execution's lock."""
    if isinstance(wait, SleepWait):
        _later(engine, live, wait.key, _seconds_until(engine, wait.until), None)
    elif isinstance(wait, CallbackWait):
        error = failure("TimeoutError", "no callback was received in time")
        _later(engine, live, wait.key, _seconds_until(engine, wait.until), error)
    elif isinstance(wait, HttpWait):
        seconds = wait.request["timeout"]
        _later(engine, live, wait.key, seconds, failure("TimeoutError", f"no answer within {seconds:g} seconds"))
        key, request = wait.key, wait.request
        engine.outside.clock.spawn(lambda: _send(engine, live, key, request), f"workflow {live.id} http")


def _seconds_until(engine: Engine, until: str) -> float:
    return max(0.0, (datetime.fromisoformat(until) - engine.outside.clock.now()).total_seconds())


def _later(engine: Engine, live: Live, key: int, seconds: float, value: Value | Raised) -> None:
    task = f"workflow {live.id} wait"
    live.timers[key] = engine.outside.clock.call_later(seconds, lambda: engine.deliver(live, key, value), task)


def _send(engine: Engine, live: Live, key: int, request: dict[str, Value]) -> None:
    if live.stopped:
        return
    engine.deliver(live, key, _exchange(engine, live, request))


def _exchange(engine: Engine, live: Live, request: dict[str, Value]) -> Value | Raised:
    """The call's value, or the error it raises."""
    try:
        headers = request["headers"] | _authorization(engine, live, request)
        timeout = request["timeout"]
        answer = engine.outside.http(HttpRequest(request["method"], request["url"], headers, request["body"], timeout))
        return http_call.response(answer.status, answer.headers, answer.body)
    except Raised as raised:
        return raised
    except TokenError as error:
        return failure("AuthError", str(error))
    except (ConnectionError, TimeoutError) as error:
        return http_call.transport_error(error)


def _authorization(engine: Engine, live: Live, request: dict[str, Value]) -> dict[str, str]:
    auth = request["auth"]
    if auth is None:
        return {}
    email, tokens = live.revision.service_account, engine.outside.tokens
    if auth["type"] == "OAuth2":
        return {"Authorization": f"Bearer {tokens.access_token(email)}"}
    audience = auth.get("audience") or urlsplit(request["url"])._replace(query="", fragment="").geturl()
    return {"Authorization": f"Bearer {tokens.id_token(email, audience)}"}
