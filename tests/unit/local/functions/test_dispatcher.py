"""The host's one application: who is called, how many at once, what failures look like."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from werkzeug.test import Client, create_environ, run_wsgi_app

from infra.local.functions.apps import BuildFailed
from infra.local.functions.dispatcher import Dispatcher
from shared.contracts.manifest import FunctionRow


def row(name: str, concurrency: int = 1) -> FunctionRow:
    return FunctionRow.model_validate(
        {
            "name": name,
            "entry_point": name,
            "trigger": {"type": "http"},
            "invoker": "public",
            "service_account": "a",
            "concurrency": concurrency,
        }
    )


def say(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return iter([f"{environ['SCRIPT_NAME']}|{environ['PATH_INFO']}".encode(), b"!"])


def fail(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    raise RuntimeError("a function of no framework")


def refuse(_row: FunctionRow) -> Any:
    raise BuildFailed("it cannot be loaded: no such library")


def test_the_function_sees_the_path_after_its_name() -> None:
    assert Client(Dispatcher([row("a")], lambda _: say)).get("/a/b/c").text == "|/b/c!"


def test_the_root_of_a_function_is_a_slash() -> None:
    assert Client(Dispatcher([row("a")], lambda _: say)).get("/a").text == "|/!"


def test_an_unknown_function_is_404() -> None:
    assert Client(Dispatcher([row("a")], lambda _: say)).get("/b/").status_code == 404


def test_beyond_its_concurrency_a_function_answers_429_until_an_answer_is_closed() -> None:
    dispatcher = Dispatcher([row("a", concurrency=2), row("b")], lambda _: say)
    held = [run_wsgi_app(dispatcher, create_environ("/a/")) for _ in range(2)]
    client = Client(dispatcher)
    assert client.get("/a/").status_code == 429
    assert client.get("/b/").status_code == 200
    held[0][0].close()  # type: ignore[attr-defined]
    assert client.get("/a/").status_code == 200


def test_a_request_beyond_the_concurrency_is_answered_when_a_place_is_free_in_time() -> None:
    dispatcher = Dispatcher([row("a")], lambda _: say, pending_seconds=10.0)
    held = run_wsgi_app(dispatcher, create_environ("/a/"))
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(lambda: Client(dispatcher).get("/a/").status_code)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.1)
        held[0].close()  # type: ignore[attr-defined]
        assert waiting.result(timeout=5.0) == 200


def test_a_request_that_waited_long_enough_is_429() -> None:
    dispatcher = Dispatcher([row("a")], lambda _: say, pending_seconds=0.05)
    run_wsgi_app(dispatcher, create_environ("/a/"))
    assert Client(dispatcher).get("/a/").status_code == 429


def test_a_function_that_raises_frees_its_place() -> None:
    dispatcher = Dispatcher([row("a")], lambda _: fail)
    for _ in range(3):
        try:
            run_wsgi_app(dispatcher, create_environ("/a/"))
        except RuntimeError as error:
            assert "no framework" in str(error)


def test_a_function_that_cannot_be_loaded_answers_500_with_the_reason_and_says_so_in_its_state() -> None:
    dispatcher = Dispatcher([row("a")], refuse)
    dispatcher.build_all()
    for _ in range(2):
        answer = Client(dispatcher).get("/a/")
        assert (answer.status_code, answer.text) == (500, "it cannot be loaded: no such library")
    assert dispatcher.states() == {"a": "it cannot be loaded: no such library"}


def test_health_lists_every_function() -> None:
    dispatcher = Dispatcher([row("a"), row("b")], lambda _: say)
    Client(dispatcher).get("/a/")
    assert Client(dispatcher).get("/_host/health").json == {"a": "ready", "b": "loading"}


def test_who_asks_for_loaded_functions_learns_of_each_that_cannot_be_loaded() -> None:
    dispatcher = Dispatcher([row("a"), row("b")], lambda found: say if found.name == "b" else refuse(found))
    assert Client(dispatcher).get("/_host/loaded").json == {"a": "loading", "b": "loading"}
    dispatcher.build_all()
    states = Client(dispatcher).get("/_host/loaded").json
    assert states == {"a": "it cannot be loaded: no such library", "b": "ready"}
