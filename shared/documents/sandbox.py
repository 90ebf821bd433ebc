"""Starting the worker, and ending it when its time is over or nobody waits for it any more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from shared.documents.refusals import Refused
from shared.errors import MemexError, Transient
from shared.gateway.transport import Cut, TransportError

_LOOK_SECONDS = 0.05
_AT_ONCE = 2
"""Workers of one process at a time: each may take much of an instance's memory."""
_free = threading.BoundedSemaphore(_AT_ONCE)
_ROOT = Path(__file__).parents[2]
_ENVIRONMENT = {
    "PYTHONPATH": os.pathsep.join([str(_ROOT), *(place for place in sys.path if place)]),
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENPYXL_LXML": "False",  # so that openpyxl reads with defusedxml
    "LC_ALL": "C.UTF-8",
}
"""All that the worker sees: no key, no token, no address."""


class WorkerDied(MemexError):
    """It was ended for its time, or ended itself: the file, or this part of it, cannot be had."""

    status, code = 422, "worker_died"


def work(job: dict[str, Any], *, seconds: float, cut: Cut | None = None) -> Any:
    """What the worker answers to one job.

    Raises Refused, WorkerDied, Transient where other workers do not end, and TransportError when the handle is cut.
    """
    handle = cut or Cut()
    with ExitStack() as stack:
        if not _free.acquire(timeout=seconds):
            raise Transient("Other files are just being worked on: try again.", retry_after_seconds=5.0)
        stack.callback(_free.release)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="memex-worker-"))
        process = stack.enter_context(_started(folder))
        stack.callback(process.kill)  # before it is waited for
        answer = _answer(process, json.dumps({**job, "seconds": seconds}).encode(), seconds, handle)
    if "refused" in answer:
        raise Refused(answer["refused"]["reason"], answer["refused"]["message"])
    return answer["ok"]


def _started(folder: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "shared.documents.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**_ENVIRONMENT, "TMPDIR": folder, "HOME": folder},
    )


def _answer(process: subprocess.Popen[bytes], job: bytes, seconds: float, cut: Cut) -> dict[str, Any]:
    left: float = seconds
    given: bytes | None = job
    while True:
        try:
            said, _ = process.communicate(given, timeout=_LOOK_SECONDS)
            break
        except subprocess.TimeoutExpired:
            left, given = left - _LOOK_SECONDS, None
        if cut.reason:
            raise TransportError(cut.reason, f"The work was ended: {cut.reason}.", sent=True)
        if left <= 0:
            raise WorkerDied(f"Reading took longer than {seconds:g} seconds.")
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError as error:
        raise WorkerDied("Reading ended without an answer: the file asks for too much, or is hostile.") from error
    return answer
