"""Decides who answers a request: a function, or one of the services and pages of the Flask application."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from infra.local.database import storage_failure
from infra.local.front import guard
from infra.local.front.invoker import CREDENTIAL_HEADERS, Invokers
from infra.local.front.proxy import HOP_BY_HOP, Call, Proxy
from shared.contracts.manifest import FunctionRow, HttpTrigger

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Blueprint

    from infra.local.faults import Faults

FUNCTIONS_PREFIX = "/_functions/"
DROPPED_HEADERS = HOP_BY_HOP | {"content-length"} | set(CREDENTIAL_HEADERS)


@dataclass(frozen=True)
class Target:
    """The function that answers, and the path (with query) it shall see."""

    row: FunctionRow
    target: str


class Router:
    """Finds the function a path belongs to."""

    def __init__(self, rows: Sequence[FunctionRow]) -> None:
        self._by_name = {row.name: row for row in rows}
        routes = [(route, row) for row in rows if isinstance(row.trigger, HttpTrigger) for route in row.trigger.routes]
        self._routes = sorted(routes, key=lambda pair: -len(pair[0]))

    def find(self, raw: str) -> Target | None:
        """By /_functions/{name}/…, which is cut off, or by the longest public route, which is not. Raises Refused."""
        path = urlsplit(raw).path
        if path.startswith(FUNCTIONS_PREFIX):
            return self._named(raw)
        for route, row in self._routes:
            if path == route or path.startswith(f"{route.rstrip('/')}/"):
                return Target(row, raw)
        return None

    def _named(self, raw: str) -> Target:
        rest = raw.removeprefix(FUNCTIONS_PREFIX)
        name = rest.partition("?")[0].partition("/")[0]
        if name not in self._by_name:
            raise guard.Refused("404 Not Found", f"There is no function {name!r}.")
        target = rest.removeprefix(name)
        return Target(self._by_name[name], target if target.startswith("/") else f"/{target}")


@dataclass(frozen=True)
class FunctionCaller:
    """Calls functions for those who may; `proxy` is None when the functions are switched off."""

    router: Router
    invokers: Invokers
    proxy: Proxy | None
    faults: Faults

    def call(self, found: Target, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The function's answer. Raises Refused."""
        credentials = self.invokers.admit(found.row, _credentials(environ))
        if self.proxy is None:
            raise guard.Refused("503 Service Unavailable", "The functions are switched off.")
        if self.faults.is_out("functions"):
            raise guard.Refused("503 Service Unavailable", "The functions are away: a fault that was asked for.")
        headers = [*_forwarded(environ), *((name.title(), value) for name, value in credentials.items())]
        body = guard.read_body(environ)
        if body or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            headers.append(("Content-Length", str(len(body))))
        call = Call(
            row=found.row,
            method=environ["REQUEST_METHOD"],
            target=f"/{found.row.name}{found.target}",
            headers=headers,
            body=body,
            client=environ["werkzeug.socket"],
        )
        return self.proxy.forward(call, start_response)


class Front:
    """The WSGI application of the HTTP port."""

    def __init__(self, caller: FunctionCaller, services: WSGIApplication) -> None:
        self._caller, self._services = caller, services

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            guard.check_host(environ)
            guard.check_size(environ)
            raw = environ["RAW_URI"]
            raw = f"/{raw.lstrip('/')}" if raw.startswith("/") else _path_of(raw)
            found = self._caller.router.find(raw)
            if found is not None:
                return self._caller.call(found, environ, start_response)
            guard.check_origin(environ)
        except guard.Refused as refusal:
            return guard.answer(start_response, refusal.status, refusal.message)
        return self._services(environ, start_response)


def services(blueprints: Sequence[Blueprint], faults: Faults) -> WSGIApplication:
    """The Flask application with everything that is no function."""
    from flask import Flask
    from werkzeug.exceptions import HTTPException

    app = Flask("infra.local.front", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = guard.REQUEST_BYTES
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    faults.install(app)

    @app.errorhandler(HTTPException)
    def say(error: HTTPException) -> tuple[str, int, dict[str, str]]:
        body = {"error": {"code": error.code, "message": error.description}}
        return json.dumps(body), error.code or 500, {"Content-Type": "application/json"}

    @app.errorhandler(sqlite3.OperationalError)
    def refuse_without_storage(error: sqlite3.OperationalError) -> tuple[str, int, dict[str, str]]:
        failure = storage_failure(error)
        if not failure:
            raise error
        message = f"The local cloud cannot write its data: {failure}."
        body = {"error": {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED"}}
        return json.dumps(body), 429, {"Content-Type": "application/json"}

    return app


def _path_of(absolute: str) -> str:
    """The path and query of a request line in absolute form."""
    parts = urlsplit(absolute)
    return f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def _credentials(environ: WSGIEnvironment) -> dict[str, str]:
    """The headers with tokens in them, as far as they were sent."""
    keys = {name: f"HTTP_{name.upper().replace('-', '_')}" for name in CREDENTIAL_HEADERS}
    return {name: environ[key] for name, key in keys.items() if environ.get(key)}


def _forwarded(environ: WSGIEnvironment) -> list[tuple[str, str]]:
    """The request's headers as the function shall get them, with what a load balancer adds."""
    headers = [
        (key[5:].replace("_", "-").title(), value)
        for key, value in environ.items()
        if key.startswith("HTTP_") and key[5:].replace("_", "-").lower() not in DROPPED_HEADERS
    ]
    if environ.get("CONTENT_TYPE"):
        headers.append(("Content-Type", environ["CONTENT_TYPE"]))
    headers += [("X-Forwarded-For", environ.get("REMOTE_ADDR", "")), ("X-Forwarded-Proto", "http")]
    return headers
