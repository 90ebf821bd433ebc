"""The functions host: `python -m infra.local.functions.host --root DIR --fd N` serves on the socket it was given.

It writes one line to its standard output once it accepts requests, ends when its standard input does
(that is, when its parent is gone, however it went), and on SIGTERM.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import logging
import os
import signal
import socket
import sys
import threading
from functools import partial
from pathlib import Path

from infra.local.front.server import Server
from infra.local.functions.apps import build, read_manifest
from infra.local.functions.dispatcher import PENDING_SECONDS, Dispatcher


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves the functions of a project; started by the local cloud.")
    parser.add_argument("--root", type=Path, required=True, help="the project's folder")
    parser.add_argument("--fd", type=int, required=True, help="a listening Unix socket, inherited")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    listener = socket.socket(fileno=options.fd)
    threading.Thread(target=_end_with_parent, args=[listener], name="parent", daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C goes to the whole group; the parent says when to end
    serve(options.root, listener)


def serve(root: Path, listener: socket.socket) -> None:
    """Accept requests at once and load the functions meanwhile; returns never."""
    dispatcher = Dispatcher(read_manifest(root).functions, partial(build, root), pending_seconds=PENDING_SECONDS)
    Server(listener, dispatcher, "functions").start()
    _say_ready()
    dispatcher.build_all()
    _warm_up()
    threading.Event().wait()


def _warm_up() -> None:
    """Load the client library every function needs at its first request, while there is none."""
    with contextlib.suppress(ImportError):
        importlib.import_module("google.cloud.firestore_v1")


def _say_ready() -> None:
    """Tell the parent; from now on what functions print goes to the log."""
    os.write(1, b"ready\n")
    os.dup2(2, 1)


def _end_with_parent(listener: socket.socket) -> None:
    """Standard input ends with the parent; if that could not clear up after itself, its socket goes too."""
    sys.stdin.buffer.read()
    path = Path(listener.getsockname())
    with contextlib.suppress(OSError):
        path.unlink()
        path.parent.rmdir()
    os._exit(0)


if __name__ == "__main__":
    main()
