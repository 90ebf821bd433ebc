"""The functions host: `python -m infra.local.functions.host --root DIR --fd N` serves on the socket it was given.

It writes one line to its standard output once it accepts requests, ends when its standard input does
(that is, when its parent is gone, however it went), and on SIGTERM.
"""

from __future__ import annotations

import argparse
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
from infra.local.functions.dispatcher import Dispatcher


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves the functions of a project; started by the local cloud.")
    parser.add_argument("--root", type=Path, required=True, help="the project's folder")
    parser.add_argument("--fd", type=int, required=True, help="a listening Unix socket, inherited")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C goes to the whole group; the parent says when to end
    serve(options.root, socket.socket(fileno=options.fd))


def serve(root: Path, listener: socket.socket) -> None:
    """Accept requests at once and load the functions meanwhile; returns never."""
    dispatcher = Dispatcher(read_manifest(root).functions, partial(build, root))
    Server(listener, dispatcher, "functions").start()
    _say_ready()
    dispatcher.build_all()
    threading.Event().wait()


def _say_ready() -> None:
    """Tell the parent; from now on what functions print goes to the log."""
    os.write(1, b"ready\n")
    os.dup2(2, 1)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
