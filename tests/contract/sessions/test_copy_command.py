"""`memex sessions copy` on real stores: SQLite and the emulated session service."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infra.cli import copying
from infra.cli.main import memex
from tests.contract.sessions.world import EngineServer, EngineWorld, SqliteWorld, envelope

Run = Callable[..., Result]


@pytest.fixture
def engine(engines: EngineServer) -> EngineWorld:
    return EngineWorld(engines)


@pytest.fixture
def run(tmp_path: Path, engine: EngineWorld) -> Run:
    settings = {
        "GOOGLE_CLOUD_PROJECT": "p",
        "SESSIONS_PATH": str(tmp_path / "sessions.sqlite"),
        "SESSIONS_ENGINE": engine.place.engine,
        "SESSIONS_BASE_URL": engine.server.url,
    }
    given = [argument for name, value in settings.items() for argument in ("--set", f"{name}={value}")]

    def command(*arguments: str) -> Result:
        where = ["--from", "sqlite", "--to", "agent-engine", "--workspace", "demo"]
        return CliRunner().invoke(memex, ["sessions", "copy", *where, *given, *arguments])

    return command


@pytest.fixture
def source(tmp_path: Path) -> SqliteWorld:
    world = SqliteWorld(tmp_path)
    store = world.open()
    for n in range(1, 6):
        store.persist(f"S{n}", envelope(n))
    return world


def test_all_are_copied_and_compared_and_what_cannot_be_is_named(
    run: Run, source: SqliteWorld, engine: EngineWorld
) -> None:
    source.open().persist("large", envelope(9, text="x" * 1_100_000))
    source.damage("S2", "{")
    done = run("--json")
    *told, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1 and last == {"done": True, "counts": {"copied": 4, "failed": 2}, "cursor": ""}
    failed = {one["session_id"]: one["message"] for one in told if one["outcome"] == "failed"}
    assert "1,000,000 at most" in failed["large"] and "cannot be read" in failed["S2"]
    assert engine.open().hydrate("S5") == envelope(5)
    words = run()
    assert words.exit_code == 1 and "2 failed, 4 were there already" in words.stdout and "S2: failed" in words.stderr
    source.close()
    engine.close()


def test_a_copying_that_is_stopped_says_how_to_go_on(
    run: Run, source: SqliteWorld, engine: EngineWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import contextmanager

    @contextmanager
    def at_once(stop):  # type: ignore[no-untyped-def]
        stop.set()
        yield

    with monkeypatch.context() as stopped:
        stopped.setattr(copying, "on_stop", at_once)
        first = run()
    assert first.exit_code == 130 and "Run it again" in first.stderr and "1 copied" in first.stdout
    assert run().exit_code == 0 and engine.open().hydrate("S1") == envelope(1)
    source.close()
    engine.close()


def test_a_file_that_is_not_there_is_said_and_not_made(run: Run, tmp_path: Path) -> None:
    done = run()
    assert done.exit_code == 1 and "SESSIONS_PATH" in done.stderr and "sessions.sqlite" in done.stderr
    assert not (tmp_path / "sessions.sqlite").exists()


def test_an_engine_that_was_not_named_is_said_once(run: Run, source: SqliteWorld) -> None:
    done = run("--set", "SESSIONS_ENGINE=")
    assert done.exit_code == 1 and "SESSIONS_ENGINE" in done.stderr and "failed" not in done.stderr
    source.close()
