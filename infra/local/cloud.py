"""The local cloud, assembled: every part, the two ports, the functions, started and ended in the right order."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import grpc

from infra.local import bill
from infra.local.clock import Clock, RealClock
from infra.local.console.health import Host, health_of
from infra.local.database import failures_in
from infra.local.environment import Place, process_environment, settings_of
from infra.local.eventarc.lane import RetryPolicy
from infra.local.fault_hooks import FaultInterceptor
from infra.local.faults import Faults
from infra.local.files import Lock, kept_tokens, stable_token
from infra.local.front.assembly import FrontSettings, HttpFront
from infra.local.functions.apps import read_manifest
from infra.local.functions.inline import InlineHost
from infra.local.functions.supervisor import HostProcess, HostSettings
from infra.local.iam import Iam
from infra.local.meter import Meter
from infra.local.ports import Ports, bind
from infra.local.seams import Seams
from infra.local.seeding import seed
from infra.local.services import Paces, Services
from infra.local.starting import Starting
from infra.local.triggers import Triggers

if TYPE_CHECKING:
    from flask import Blueprint

PROJECT, LOCATION, WORKSPACE = "memex-local", "us-central1", "demo"
WORKERS, GRPC_THREADS = 128, 200
MESSAGE_BYTES = 32 * 1024 * 1024
SAVE_SECONDS, GRPC_CLOSE_SECONDS = 30.0, 2.0


@dataclass(frozen=True)
class CloudConfig:
    """How a local cloud is to be.

    `root` is the project's folder (functions/, workflows/, web_static/, infra/firestore.indexes.json). Without
    `data_dir` nothing is kept. Port 0 means the last run's port, or a free one. `functions`: in a process of their
    own, in this one (for tests and virtual clocks), or none. `run_seconds` is how long an emulated research run
    takes, `pace_seconds` how long an emulated model pauses between two pieces of its text. `env` are settings of the
    functions that win over ours. Without `clock`, time is real. Once `stopping` is true, a start under way ends.
    """

    root: Path
    data_dir: Path | None = None
    http_port: int = 0
    grpc_port: int = 0
    functions: Literal["process", "inline", "none"] = "process"
    clock: Clock | None = None
    run_seconds: float = 2.0
    pace_seconds: float = 0.0
    env: Mapping[str, str] = field(default_factory=dict)
    retry: RetryPolicy = RetryPolicy()
    stopping: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Addresses:
    """Where it answers: `http` is a base URL, `grpc` host:port, `token` the bearer token of the API."""

    http: str
    grpc: str
    token: str


class LocalCloud:
    """`start()` it, use its parts by their attributes, `close()` it; a closed one is not started again.

    `start()` raises DataInUse, PortTaken, CannotStart, StartStopped, or what a part raises, and has closed everything
    then.
    """

    seams: Seams
    place: Place
    services: Services
    triggers: Triggers
    front: HttpFront
    host: Host | None
    settings: dict[str, str]
    """What the functions find in their environment, beside what a host process inherits."""

    def __init__(self, config: CloudConfig) -> None:
        self.config = config
        self.root = config.root.resolve()
        self.manifest = read_manifest(self.root)
        self._ends = ExitStack()
        self._closed = False

    def start(self) -> Addresses:
        """Start everything; returns when it answers."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return Addresses(self.place.http, self.place.grpc, self.place.token)

    def close(self) -> None:
        """End everything, the last started first; what was under way goes on at the next start. Idempotent."""
        self._closed = True
        self._ends.close()

    def bill(self) -> bill.Bill:
        """What all that was done would have cost; keeps the counts."""
        bill.save(self.seams.meter, self._meter_file)
        return bill.bill_of(self.seams.meter.totals())

    def health(self) -> dict[str, Any]:
        """Addresses, the functions and their host, where the data is, and the databases that the disk fails."""
        found = health_of(self.place, str(self.seams.data_dir), self.host)
        failing = failures_in(self.seams.data_dir)
        return {**found, "storage": failing, "status": "degraded" if failing else found["status"]}

    def _start(self) -> None:
        self.seams = self._open_seams()
        starting = Starting(self.config.stopping, self.seams.data_dir / "functions.log")
        starting.go_on()
        server = self._grpc_server()
        ports = bind(self.seams.data_dir, self.config.http_port, self.config.grpc_port, server)
        self._ends.callback(ports.listener.close)
        self._ends.callback(ports.web.close)
        self.place = self._place(ports)
        self.host = self._start_host()  # first, as it takes longest; it needs nothing but the addresses
        starting.go_on()
        self.services = Services.build(
            self.seams, self.place, self.root, Paces(self.config.run_seconds, self.config.pace_seconds)
        )
        self._ends.callback(self.services.close)
        if self.host is not None:
            self._ends.callback(self.host.close)  # again, for the order: functions end before what they call
        starting.go_on()
        self._serve(server, ports)
        self._go_on(starting)

    def _open_seams(self) -> Seams:
        clock = self.config.clock or RealClock(WORKERS)
        if self.config.clock is None:
            self._ends.callback(clock.close)
        data_dir = self._open_data()
        self._ends.callback(Lock(data_dir).release)
        meter = Meter()
        bill.load(meter, data_dir / "meter.json")
        self._ends.callback(lambda: bill.save(meter, self._meter_file))
        return Seams(data_dir, clock, meter, Faults(clock), Iam(data_dir, clock))

    def _open_data(self) -> Path:
        if self.config.data_dir is None:
            temporary = Path(tempfile.mkdtemp(prefix="memex-data-"))
            self._ends.callback(shutil.rmtree, temporary, ignore_errors=True)
            return temporary
        kept = self.config.data_dir.resolve()
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        return kept

    @property
    def _meter_file(self) -> Path:
        return self.seams.data_dir / "meter.json"

    def _grpc_server(self) -> grpc.Server:
        options = [
            ("grpc.so_reuseport", 0),  # else a second server could listen on the same port, unnoticed
            ("grpc.max_receive_message_length", MESSAGE_BYTES),
            ("grpc.max_send_message_length", MESSAGE_BYTES),
        ]
        pool = ThreadPoolExecutor(GRPC_THREADS, thread_name_prefix="grpc")
        server = grpc.server(pool, interceptors=[FaultInterceptor(self.seams.faults)], options=options)
        self._ends.callback(pool.shutdown, wait=False)
        self._ends.callback(lambda: server.stop(None).wait(GRPC_CLOSE_SECONDS))
        return server

    def _place(self, ports: Ports) -> Place:
        token = stable_token(self.seams.data_dir)
        return Place(
            PROJECT,
            LOCATION,
            WORKSPACE,
            f"http://127.0.0.1:{ports.http}",
            f"127.0.0.1:{ports.grpc}",
            token,
            ports.web_url,
        )

    def _start_host(self) -> Host | None:
        kept = self.seams.data_dir.absolute()
        files = {"OBJECTS_URL": (kept / "objects").as_uri(), "SESSIONS_PATH": str(kept / "sessions.sqlite")}
        tokens = filter(None, (self.config.env.get("API_TOKENS"), kept_tokens(kept)))
        wanted = {**files, **self.config.env, "API_TOKENS": ";".join(tokens)}
        self.settings = settings_of(self.place, self.manifest, os.environ, wanted)
        if self.config.functions == "none":
            return None
        host: Host
        if self.config.functions == "inline":
            host = InlineHost(self.root, self.settings)
        else:
            env = process_environment(os.environ, self.settings)
            host = HostProcess(HostSettings(self.root, env, self.seams.data_dir / "functions.log"))
        self._ends.callback(host.close)
        host.start()
        return host

    def _serve(self, server: grpc.Server, ports: Ports) -> None:
        server.add_generic_rpc_handlers(tuple(self.services.handlers()))
        server.start()
        static = self.root / "web_static"
        settings = FrontSettings(PROJECT, self.place.function_url, self.manifest, static, self.host)
        self.front = HttpFront(settings, self.seams, self.services.blueprints())
        self._ends.callback(self.front.close)
        self.triggers = Triggers(self.seams, self.place, self.manifest, self.config.retry)
        self._ends.callback(self.triggers.close)
        self._ends.callback(self.services.workflows.close)  # first, so that it takes no ending for a failed call
        self.front.start(ports.listener, self._console())
        self._serve_web(ports)

    def _serve_web(self, ports: Ports) -> None:
        """The invented pages, on a port where nothing else is: fetches of the product may reach it."""
        from infra.local.web.service import WebPart  # here, as it uses the packages that the services have loaded

        web = WebPart()
        self._ends.callback(web.close)
        web.start(ports.web)
        self.services.aiplatform.grounding.web = self.place.web

    def _console(self) -> Blueprint:
        from infra.local.console.app import (
            Parts,
            console,
        )  # here, as it uses the packages that the services have loaded

        return console(
            Parts(
                self.place,
                self.manifest,
                self.seams,
                self.services,
                self.triggers,
                self.health,
                lambda: bill.save(self.seams.meter, self._meter_file),
                self._seed,
            )
        )

    def _go_on(self, starting: Starting) -> None:
        """Take up what the last run left, once the functions answer."""
        if self.host is not None:
            starting.await_host(self.host)
        starting.go_on()
        self.services.deploy(self.manifest, self.root, self.place)
        if self.host is not None:
            starting.await_functions(self.host)
        starting.go_on()
        self.services.start()
        self._seed()
        if self.host is not None:
            self.triggers.start(self.services)
        starting.go_on()
        self._save_later()

    def _seed(self) -> None:
        """Without functions it is a cloud of services alone, in which nothing is but what is written."""
        if self.host is not None:
            seed(self.services.firestore.inside, self.place)

    def _save_later(self) -> None:
        """Keep the counts every half minute: a killed process loses no more than that."""
        if not self._closed:
            bill.save(self.seams.meter, self._meter_file)
            self.seams.clock.call_later(SAVE_SECONDS, self._save_later, "save the meter")
