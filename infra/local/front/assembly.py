"""The front put together: functions, services, pages and the server they share."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infra.local.front import pages
from infra.local.front.app import Front, FunctionCaller, Router, services
from infra.local.front.invoker import Invokers
from infra.local.front.proxy import Host, Proxy
from infra.local.front.server import Server
from infra.local.seams import Seams
from shared.contracts.manifest import Manifest

if TYPE_CHECKING:
    from flask import Blueprint


@dataclass(frozen=True)
class FrontSettings:
    """What the front serves. `function_url` has {name} where a function's name goes; `host` None: no functions."""

    project: str
    function_url: str
    manifest: Manifest
    static: Path
    host: Host | None


class HttpFront:
    """The HTTP port."""

    def __init__(self, settings: FrontSettings, seams: Seams, blueprints: Sequence[Blueprint]) -> None:
        self._settings, self._seams = settings, seams
        self._blueprints = [*blueprints, seams.iam.blueprint(), pages.blueprint(settings.static)]
        self._proxy = Proxy(settings.host, seams.clock, seams.meter) if settings.host is not None else None
        self._server: Server | None = None

    def start(self, listener: socket.socket, console: Blueprint) -> None:
        """Answer on a listener that is already bound; `console` is /_cloud."""
        others = services([console, *self._blueprints], self._seams.faults)
        self._server = Server(listener, Front(self._caller(), others), "front")
        self._server.start()

    def close(self) -> None:
        """Idempotent."""
        if self._server is not None:
            self._server.close()
        if self._proxy is not None:
            self._proxy.close()

    def _caller(self) -> FunctionCaller:
        settings = self._settings
        invokers = Invokers(self._seams.iam, settings.project, settings.function_url)
        return FunctionCaller(Router(settings.manifest.functions), invokers, self._proxy, self._seams.faults)
