"""A scripted server, and a way to run the command against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner, Result

from infra.cli.main import memex
from tests.unit.cli.server import Script, serving

Run = Callable[..., Result]


@pytest.fixture
def script() -> Iterator[Script]:
    with serving() as script:
        yield script


@pytest.fixture
def run(script: Script, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls `memex` with arguments; the address is that of the scripted server."""
    monkeypatch.setenv("MEMEX_URL", script.url)
    monkeypatch.setenv("MEMEX_TOKEN", "secret")
    return lambda *arguments, **options: CliRunner().invoke(memex, arguments, **options)
