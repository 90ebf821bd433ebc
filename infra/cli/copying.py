"""Copying conversations between stores, and telling how far it is; the stores are opened as a function opens them."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from infra.cli.address import find
from infra.cli.errors import CliError
from infra.cli.stopping import INTERRUPTED, on_stop
from infra.cli.terminal import one_line, print_json
from infra.local.cloud import LOCATION, PROJECT
from infra.local.environment import EMULATED_ENGINE
from shared.config import Settings
from shared.errors import MemexError, SettingsError, Transient

if TYPE_CHECKING:
    from shared.sessions.assembly import SessionStores
    from shared.sessions.copying import Copied

TOLD_EVERY = 50
WORKERS = 8


def settings_of(data: Path, given: Sequence[str]) -> Mapping[str, str]:
    """The variables that the stores are opened by. Raises CliError where neither a Memex nor a project is named."""
    named = dict(_pair(one) for one in given)
    if named.get("GOOGLE_CLOUD_PROJECT") or os.environ.get("GOOGLE_CLOUD_PROJECT"):
        return {**os.environ, **named}
    address = find(None, None, None, data)
    local = {
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "MEMEX_LOCATION": LOCATION,
        "FIRESTORE_EMULATOR_HOST": address.grpc,
        "SESSIONS_BASE_URL": address.http,
        "SESSIONS_ENGINE": EMULATED_ENGINE,
        "SESSIONS_PATH": str(data.absolute() / "sessions.sqlite"),
    }
    return {**local, **named}


class Copying:
    """One run of the command."""

    def __init__(self, variables: Mapping[str, str], workspace: str, *, as_json: bool) -> None:
        self._variables, self._workspace, self._as_json = variables, workspace, as_json
        self._counts: Counter[str] = Counter()
        self._seen: dict[str, str] = {}
        self._cursor = ""

    def run(self, source: str, target: str, cursor: str) -> int:
        """The exit code."""
        from shared.contracts.sessions import SessionStoreKind
        from shared.sessions.copying import copy

        stop, stopped = threading.Event(), False
        self._cursor = cursor
        try:
            with self._stores(source) as stores, on_stop(stop):
                pair = [stores.open(SessionStoreKind(kind), self._workspace) for kind in (source, target)]
                self._say(f"From {pair[0].kind.value} ({pair[0].where}) to {pair[1].kind.value} ({pair[1].where})")
                for one in copy(pair[0], pair[1], self._workspace, cursor=cursor, workers=WORKERS):
                    self._tell(one)
                    if stop.is_set():
                        stopped = True
                        break
        except Transient as error:
            raise CliError(f"{error.message} {self._go_on()}", code=error.code) from error
        except MemexError as error:
            raise CliError(error.message, code=error.code, details=error.details) from error
        return self._end(stopped)

    def _tell(self, one: Copied) -> None:
        self._cursor = one.cursor
        outcome = one.outcome.value
        if not (one.round > 1 and outcome == "there"):  # a later round only looks for what has changed
            self._seen[one.session_id] = outcome
            self._counts = Counter(self._seen.values())
        if self._as_json:
            about = {"session_id": one.session_id, "outcome": outcome, "round": one.round, "cursor": one.cursor}
            print_json({**about, **({"message": one.message} if one.message else {})})
            return
        if outcome in ("failed", "newer") and one.round == 1:
            click.echo(f"{one_line(one.session_id)}: {outcome}: {one_line(one.message)}", err=True)
        if one.round == 1 and len(self._seen) % TOLD_EVERY == 0:
            self._say(self._counted())

    def _end(self, stopped: bool) -> int:
        if self._as_json:
            print_json({"done": not stopped, "counts": dict(self._counts), "cursor": self._cursor if stopped else ""})
        else:
            click.echo(self._counted())
        if stopped:
            click.echo(f"Stopped. {self._go_on()}", err=True)
            return INTERRUPTED
        return 1 if self._counts["failed"] else 0

    def _counted(self) -> str:
        said = ", ".join(f"{count} {_WORDS[outcome]}" for outcome, count in sorted(self._counts.items()))
        return said or "There was nothing to copy."

    def _go_on(self) -> str:
        return f"Run it again{f' with --cursor {self._cursor}' if self._cursor else ''}: what is copied is passed over."

    def _say(self, text: str) -> None:
        if not self._as_json:
            click.echo(one_line(text), err=True)

    @contextmanager
    def _stores(self, source: str) -> Iterator[SessionStores]:
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # read when grpc is imported: what it would print is said by us
        host = self._variables.get("FIRESTORE_EMULATOR_HOST")
        if host:
            os.environ["FIRESTORE_EMULATOR_HOST"] = host  # which Google's library itself reads
        try:
            settings = Settings.from_env(self._variables)
        except SettingsError as error:
            raise CliError(error.message, code=error.code) from error
        path = Path(settings.sessions_path).absolute()
        if source == "sqlite" and not path.exists():  # opened, it would be made, and nothing found in it
            raise CliError(f"SESSIONS_PATH: there is no {path}, so there is nothing to copy from.", code="settings")
        from shared.bootstrap import App

        app = App(settings, randomness=random.SystemRandom())
        try:
            yield app.session_stores
        finally:
            app.session_stores.close()


_WORDS = {
    "copied": "copied",
    "there": "were there already",
    "newer": "newer there",
    "gone": "gone meanwhile",
    "failed": "failed",
}


def _pair(text: str) -> tuple[str, str]:
    from shared.config import names

    name, separator, value = text.partition("=")
    if not separator or name not in names():
        raise click.UsageError(f"There is no setting {name!r}: docs/settings.md has them.")
    return name, value
