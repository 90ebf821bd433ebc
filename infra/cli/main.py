"""The entry point of `memex`."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from infra.cli.lazy import Lazy, LazyGroup

_COMMANDS = "infra.cli.commands"

memex = LazyGroup(
    name="memex",
    help="""Memex: a personal knowledge base that works while you are away.

    `memex demo` shows it in a few seconds; `memex up` runs it with your notes kept in .memex/.
    The other commands find the Memex that `memex up` started here, or the one that --url and --token
    (MEMEX_URL, MEMEX_TOKEN) name.

    Exit codes: 0 done, 1 it could not be done, 2 wrong usage; `ops watch` has more.
    """,
    lazy={
        "up": Lazy(f"{_COMMANDS}.up", "up", "Run the local cloud until ctrl-C."),
        "demo": Lazy(f"{_COMMANDS}.demo", "demo", "Research a sample note, start to bill."),
        "note": Lazy(f"{_COMMANDS}.note", "note", "Add, list, show and tag notes."),
        "ops": Lazy(f"{_COMMANDS}.ops", "ops", "List, show, watch and cancel operations."),
        "tail": Lazy(f"{_COMMANDS}.tail", "tail", "Print trace events as they come."),
        "bill": Lazy(f"{_COMMANDS}.bill", "bill", "What it would have cost in production."),
    },
)


def main() -> None:
    """Run the command in sys.argv and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    memex()
