"""One WSGI application for all functions: /{name}/… goes to that function, within its concurrency.

As Cloud Run does, the host lets a request beyond that wait for a while before it refuses it: else a caller that backs
off for ever longer would find one short call after another before it.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from werkzeug.wsgi import ClosingIterator

from infra.local.functions.apps import BuildFailed
from shared.contracts.manifest import FunctionRow

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)
Build = Callable[[FunctionRow], "WSGIApplication"]
HEALTH_PATH = "/_host/health"
LOADED_PATH = "/_host/loaded"
LOADED_SECONDS = 0.25
"""How long an answer below LOADED_PATH waits for functions that still load."""
PENDING_SECONDS = 10.0
"""How long Cloud Run keeps a request that no instance has a place for."""


class _Function:
    """A function, its application once it is built, and how many requests it has in hand."""

    def __init__(self, row: FunctionRow, build: Build) -> None:
        self.row = row
        self._build = build
        self._lock = threading.Lock()
        self._app: WSGIApplication | None = None
        self.failure: str | None = None
        self._places = threading.Semaphore(row.concurrency)

    def app(self) -> WSGIApplication:
        """The application, built at the first call. Raises BuildFailed, from then on always."""
        with self._lock:
            if self.failure is not None:
                raise BuildFailed(self.failure)
            if self._app is None:
                self._app = self._built()
            return self._app

    def _built(self) -> WSGIApplication:
        try:
            return self._build(self.row)
        except BuildFailed as error:
            self.failure = str(error)
            log.exception("%s", error)
            raise

    @property
    def state(self) -> str:
        return self.failure or ("ready" if self._app is not None else "loading")

    def enter(self, seconds: float) -> bool:
        """Take a place, waiting so long for one; who takes one leaves it again."""
        return self._places.acquire(timeout=seconds) if seconds else self._places.acquire(blocking=False)

    def leave(self) -> None:
        self._places.release()


class Dispatcher:
    """The WSGI application of the functions host; a request waits `pending_seconds` for a place in its function."""

    def __init__(self, rows: Iterable[FunctionRow], build: Build, *, pending_seconds: float = 0.0) -> None:
        self._pending_seconds = pending_seconds
        self._functions = {row.name: _Function(row, build) for row in rows}
        self._loaded = threading.Event()

    def build_all(self) -> None:
        """Load every function; what fails is logged, and answers 500 when it is called."""
        for function in self._functions.values():
            try:
                function.app()
            except BuildFailed:
                continue
        self._loaded.set()

    def states(self) -> dict[str, str]:
        """By function: "ready", "loading", or the sentence that says why it cannot be loaded."""
        return {name: function.state for name, function in self._functions.items()}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == LOADED_PATH:
            self._loaded.wait(LOADED_SECONDS)
        if path in (HEALTH_PATH, LOADED_PATH):
            return _answer(start_response, "200 OK", json.dumps(self.states()), "application/json")
        name, _, rest = path.lstrip("/").partition("/")
        function = self._functions.get(name)
        if function is None:
            return _answer(start_response, "404 Not Found", f"There is no function {name}.")
        if not function.enter(self._pending_seconds):
            return _answer(start_response, "429 Too Many Requests", "Rate exceeded.")
        return _run(function, _at_root(environ, name, rest), start_response)


def _at_root(environ: WSGIEnvironment, name: str, rest: str) -> dict[str, Any]:
    """The request as the function sees it in production: below its own root, in the raw form of the path too."""
    changed = {**environ, "PATH_INFO": f"/{rest}", "SCRIPT_NAME": ""}
    for variable in ("RAW_URI", "REQUEST_URI"):
        raw = environ.get(variable, "")
        if raw.startswith(f"/{name}/"):
            changed[variable] = raw.removeprefix(f"/{name}")
    return changed


def _run(function: _Function, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """The function's answer; its place is free again when the answer is closed."""
    try:
        answer = function.app()(environ, start_response)
    except BuildFailed as error:
        function.leave()
        return _answer(start_response, "500 Internal Server Error", str(error))
    except BaseException:
        function.leave()
        raise
    return ClosingIterator(answer, function.leave)


def _answer(
    start_response: StartResponse, status: str, text: str, content_type: str = "text/plain; charset=utf-8"
) -> list[bytes]:
    body = text.encode()
    start_response(status, [("Content-Type", content_type), ("Content-Length", str(len(body)))])
    return [body]
