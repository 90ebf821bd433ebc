"""The small files of a data directory: who uses it, the token, the ports, the counts of the meter."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TOKENS_FILE = "api_tokens"
_LOCK_TRIES, _LOCK_SECONDS = 200, 0.05


class DataInUse(Exception):
    """Another local cloud uses the data directory; the message says which and what to do."""


class Lock:
    """Held from construction to `release()`, or until the process is gone, however it goes."""

    def __init__(self, data_dir: Path) -> None:
        self._file = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._file, 32, 0).decode() or "unknown"
            os.close(self._file)
            raise DataInUse(
                f"Another local cloud (process {holder}) is using {data_dir}. "
                "Stop it first, or choose another folder with --data."
            ) from error
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Idempotent."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def stable_token(data_dir: Path) -> str:
    """The API token of this data directory, made at its first use, readable by its owner alone."""
    path = data_dir / "token"
    if not path.exists():
        draft = path.with_suffix(".new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(24))
        draft.replace(path)
    return path.read_text(encoding="ascii").strip()


def kept_tokens(data_dir: Path) -> str:
    """More tokens of the API, as the setting API_TOKENS has them; empty where there are none."""
    try:
        return (data_dir / TOKENS_FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""


def keep_tokens(data_dir: Path, value: str) -> None:
    """Write them, readable by their owner alone; the next start of the local cloud has them."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = data_dir / f".{TOKENS_FILE}.{os.getpid()}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(value)
    draft.replace(data_dir / TOKENS_FILE)


@contextmanager
def alone_with_tokens(data_dir: Path) -> Iterator[None]:
    """Inside, nobody else changes the tokens: they are read, changed and written as one.

    Raises BlockingIOError where another process does not let go of them for some seconds.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(data_dir / f".{TOKENS_FILE}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    never = threading.Event()
    try:
        for left in reversed(range(_LOCK_TRIES)):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not left:
                    raise
                never.wait(_LOCK_SECONDS)
        yield
    finally:
        os.close(file)


def read_json(path: Path) -> Any:
    """The content of a file that `write_json` wrote, None when there is none or it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def write_json(path: Path, content: Any) -> None:
    """Replace the file in one go; a crash leaves the old content or the new."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(content), encoding="utf-8")
    draft.replace(path)
