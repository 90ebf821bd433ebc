"""The entry point of `memex`."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click

from infra.cli.lazy import Lazy, LazyGroup

_COMMANDS = "infra.cli.commands"

memex = LazyGroup(
    name="memex",
    help="""Memex: a personal knowledge base that works while you are away.

    `memex demo` shows it in a few seconds; `memex up` runs it with your notes kept in .memex/.
    The other commands find the Memex that `memex up` started here, or the one that --url and --token
    (MEMEX_URL, MEMEX_TOKEN) name. Who signed in and is a member of several workspaces says which one
    is meant in MEMEX_WORKSPACE.

    Exit codes: 0 done, 1 it could not be done, 2 wrong usage; `ops watch` has more.
    """,
    lazy={
        "up": Lazy(f"{_COMMANDS}.up", "up", "Run the local cloud until ctrl-C."),
        "demo": Lazy(f"{_COMMANDS}.demo", "demo", "Research a sample note, start to bill."),
        "note": Lazy(f"{_COMMANDS}.note", "note", "Add, list, show and tag notes; samples."),
        "research": Lazy(f"{_COMMANDS}.research", "research", "Research a question, with its plan first."),
        "plan": Lazy(f"{_COMMANDS}.plan", "plan", "Approve, edit and drop research plans."),
        "ops": Lazy(f"{_COMMANDS}.ops", "ops", "List, show, watch and cancel operations."),
        "chat": Lazy(f"{_COMMANDS}.chat", "chat", "Ask your memex; list and show sessions."),
        "sessions": Lazy(f"{_COMMANDS}.sessions", "sessions", "List, show, forget and copy checkpoints."),
        "run": Lazy(f"{_COMMANDS}.run", "run", "Start, watch and cancel agent runs."),
        "search": Lazy(f"{_COMMANDS}.search", "search", "Find notes by their words."),
        "document": Lazy(f"{_COMMANDS}.document", "document", "Add, list, search and get documents."),
        "task": Lazy(f"{_COMMANDS}.task", "task", "Add, list, change and finish tasks."),
        "approval": Lazy(f"{_COMMANDS}.approval", "approval", "Decide on proposed changes."),
        "brain": Lazy(f"{_COMMANDS}.brain", "brain", "Memory agents, their jobs, and recall."),
        "routine": Lazy(f"{_COMMANDS}.routine", "routine", "Write a digest or a review now."),
        "whoami": Lazy(f"{_COMMANDS}.whoami", "whoami", "Whose token it is, and what it may do."),
        "token": Lazy(f"{_COMMANDS}.token", "token", "Make, rotate and end tokens of the API."),
        "health": Lazy(f"{_COMMANDS}.health", "health", "Whether a Memex has what it needs."),
        "pause": Lazy(f"{_COMMANDS}.spending", "pause", "Pause all spending."),
        "resume": Lazy(f"{_COMMANDS}.spending", "resume", "Let spending go on."),
        "workspace": Lazy(f"{_COMMANDS}.workspace", "workspace", "Make and delete workspaces; their members."),
        "usage": Lazy(f"{_COMMANDS}.usage", "usage", "What a month has used of its quotas."),
        "tail": Lazy(f"{_COMMANDS}.tail", "tail", "Print trace events as they come."),
        "notes": Lazy(f"{_COMMANDS}.notes", "notes", "Notes as a folder of Markdown, out and in."),
        "export": Lazy(f"{_COMMANDS}.export", "export", "Write the whole workspace into a file."),
        "import": Lazy(f"{_COMMANDS}.import_", "import_", "Take such a file in."),
        "bill": Lazy(f"{_COMMANDS}.bill", "bill", "What it would have cost in production."),
    },
)


def _say_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    import tomllib
    from pathlib import Path

    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    click.echo(f"memex {project['version']}")
    context.exit()


_VERSION = click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version, help="Print the version."
)
_VERSION(memex)


def main() -> None:
    """Run the command in sys.argv and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    memex(prog_name="memex")
