"""Taking a page apart in a process of its own, which can be ended: a thread in a parser cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from shared import config
from shared.errors import Transient
from shared.gateway.transport import Cut, cut_error, ended_after
from shared.gateway.web.refusals import Unreadable

_LOOK_SECONDS = 0.02
_AT_ONCE = 2
_ROOT = str(Path(__file__).parents[3])
_WORKER = "shared.gateway.web.worker"


@dataclass(frozen=True)
class Extracted:
    title: str
    text: str
    cut: bool
    """Whether there was more."""
    links: tuple[tuple[str, str], ...] = ()
    """Words and target of each link, as they stand in the page."""


class Extractor:
    """Two processes at once at most: each takes some 100 MB."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    def extract(self, kind: Literal["html", "pdf"], body: bytes, longest: int, cut: Cut) -> Extracted:
        """The readable text, of at most `longest` characters; HTML is given as UTF-8.

        Raises Unreadable for what cannot be taken apart in time, Transient when others do not end, and TransportError
        when cut.
        """
        with cut.inner() as handle, ended_after(self._seconds, handle), self._slot(handle):
            answer = self._answer([kind, str(longest)], body, handle)
        if not isinstance(answer, dict) or "error" in answer:
            raise Unreadable(str(answer["error"]) if isinstance(answer, dict) else "The page cannot be read.")
        links = tuple((str(words), str(target)) for words, target in answer.get("links", ()))
        return Extracted(str(answer["title"]), str(answer["text"]), bool(answer["cut"]), links)

    @contextmanager
    def _slot(self, handle: Cut) -> Iterator[None]:
        while not self._free.acquire(blocking=False):
            if handle.wait(_LOOK_SECONDS):
                raise Transient("Too many pages are being read at once: try again in a moment.")
        try:
            yield
        finally:
            self._free.release()

    @staticmethod
    def _answer(arguments: list[str], body: bytes, handle: Cut) -> Any:
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as taken:
            given.write(body)
            given.seek(0)
            _run([sys.executable, "-m", _WORKER, *arguments], given, taken, handle)
            taken.seek(0)
            try:
                return json.loads(taken.read())
            except ValueError as error:  # it died: of its bounds, or of the page
                raise Unreadable("The page is made so that no text can be had from it.") from error


def _run(command: list[str], given: IO[bytes], taken: IO[bytes], handle: Cut) -> None:
    """Run it to its end, or end it. It finds no key in its environment."""
    env = {**config.helper_environment(), "PYTHONPATH": os.pathsep.join([_ROOT, *filter(None, sys.path)])}
    process = subprocess.Popen(
        command, stdin=given, stdout=taken, stderr=subprocess.DEVNULL, env=env, cwd=tempfile.gettempdir()
    )
    try:
        while process.poll() is None:
            if not handle.wait(_LOOK_SECONDS):
                continue
            if handle.reason == "deadline":
                raise Unreadable("The page takes too long to be read.")
            raise cut_error(handle)
    finally:
        process.kill()
        process.wait()
