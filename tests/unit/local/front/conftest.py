"""A front with real functions and identities, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from flask import Blueprint

from infra.local.clock import RealClock
from infra.local.console.answers import reader
from infra.local.console.app import blueprint
from infra.local.console.switches import FaultSwitches
from infra.local.faults import Faults
from infra.local.front.assembly import FrontSettings, HttpFront
from infra.local.front.server import listen_on_loopback
from infra.local.functions.apps import read_manifest
from infra.local.functions.inline import InlineHost
from infra.local.iam import Iam
from infra.local.meter import Meter
from infra.local.seams import Seams

ROOT = Path(__file__).parents[3] / "support" / "functions_root"


class Health:
    """A section of the console that is always well."""

    def register(self, pages: Blueprint) -> None:
        reader(pages, "/health", lambda: {"status": "ok"})


@dataclass
class FrontUnderTest:
    """The front, how to reach it, and what it shares with the rest."""

    url: str
    seams: Seams
    http: httpx.Client

    def function_url(self, name: str) -> str:
        return f"{self.url}/_functions/{name}"

    def token(self, account: str, function: str) -> dict[str, str]:
        email = f"{account}@memex-local.iam.gserviceaccount.com"
        return {"Authorization": f"Bearer {self.seams.iam.id_token(email, self.function_url(function))}"}


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontUnderTest]:
    with fronting(tmp_path_factory.mktemp("front")) as front:
        yield front


@pytest.fixture
def unused_front(tmp_path: Path) -> Iterator[FrontUnderTest]:
    """One that no other test has called."""
    with fronting(tmp_path) as front:
        yield front


@contextmanager
def fronting(where: Path) -> Iterator[FrontUnderTest]:
    clock = RealClock(8)
    seams = Seams(where, clock, Meter(), Faults(clock), Iam(where, clock))
    host = InlineHost(ROOT, {"PROBE_SETTING": "seen"})
    listener = listen_on_loopback(0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    settings = FrontSettings(
        "memex-local", f"{url}/_functions/{{name}}", read_manifest(ROOT), ROOT / "web_static", host
    )
    served = HttpFront(settings, seams, [])
    host.start()
    served.start(listener, blueprint([Health(), FaultSwitches(seams.faults)]))
    with httpx.Client(base_url=url, trust_env=False, timeout=10) as http:
        yield FrontUnderTest(url, seams, http)
    served.close()
    host.close()
    listener.close()
    clock.close()
