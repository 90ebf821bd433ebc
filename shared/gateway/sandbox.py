"""A process of its own for opening what strangers made: unlike a thread in a parser, it can be ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from shared import config
from shared.errors import MemexError, Transient
from shared.gateway.transport import Cut, cut_error, ended_after

_LOOK_SECONDS = 0.02
_AT_ONCE = 2
_ROOT = str(Path(__file__).parents[2])


class WorkerDied(MemexError):
    """It was ended for its time, or ended itself: what it was to read, or this part of it, cannot be had."""

    status, code = 422, "worker_died"


class Sandbox:
    """Runs one module in processes, two at once at most: each may take much of an instance's memory.

    The module reads its standard input, answers one JSON value on its standard output, and puts up its own fence
    (shared/gateway/fence.py). It sees no key, no token and no address, and a folder of its own that goes with it.
    """

    def __init__(self, module: str, **environment: str) -> None:
        self._module, self._environment = module, environment
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    def answer(self, given: bytes, *arguments: str, seconds: float, cut: Cut) -> Any:
        """What it answers to `given`, at most `seconds` after it was begun.

        Raises WorkerDied where it takes longer or gives no answer, Transient where others do not end within that time,
        and TransportError when cut.
        """
        with self._slot(seconds, cut), tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as written:
            read.write(given)
            read.seek(0)
            with self._started(arguments, read, written) as process:
                _ended(process, seconds, cut)
            written.seek(0)
            try:
                return json.loads(written.read())
            except ValueError as error:  # it died: of its bounds, or of what it read
                raise WorkerDied("Reading ended without an answer: it asks for too much, or is hostile.") from error

    @contextmanager
    def _slot(self, seconds: float, cut: Cut) -> Iterator[None]:
        with cut.inner() as handle, ended_after(seconds, handle):
            while not self._free.acquire(blocking=False):
                if handle.wait(_LOOK_SECONDS):
                    raise (
                        cut_error(cut)
                        if cut.reason
                        else Transient(
                            "Too much is being read at once: try again in a moment.", retry_after_seconds=5.0
                        )
                    )
        try:
            yield
        finally:
            self._free.release()

    @contextmanager
    def _started(
        self, arguments: tuple[str, ...], read: IO[bytes], written: IO[bytes]
    ) -> Iterator[subprocess.Popen[bytes]]:
        """The process, which is over when the block is left."""
        with tempfile.TemporaryDirectory(prefix="memex-worker-") as folder:
            process = subprocess.Popen(
                [sys.executable, "-m", self._module, *arguments],
                stdin=read,
                stdout=written,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=self._seen_in(folder),
            )
            try:
                yield process
            finally:
                process.kill()
                process.wait()

    def _seen_in(self, folder: str) -> dict[str, str]:
        places = os.pathsep.join([_ROOT, *filter(None, sys.path)])
        ours = {"PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
        return {**config.helper_environment(), **ours, **self._environment, "TMPDIR": folder, "HOME": folder}


def _ended(process: subprocess.Popen[bytes], seconds: float, cut: Cut) -> None:
    """Wait for its end. Raises WorkerDied after `seconds`, and TransportError when cut."""
    with cut.inner() as handle, ended_after(seconds, handle):
        while process.poll() is None:
            if handle.wait(_LOOK_SECONDS):
                raise cut_error(cut) if cut.reason else WorkerDied(f"Reading took longer than {seconds:g} seconds.")
