"""A command group that imports a command only when it is called or asked for its own help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise

import click

PATH_OPTIONS = ("--data", "--file")
"""A file's name may be any bytes."""
PATH_PREFIXES = tuple(f"{option}=" for option in PATH_OPTIONS)


@dataclass(frozen=True)
class Lazy:
    """Where a command is, and what the list of commands says of it without importing it."""

    module: str
    attribute: str
    summary: str


class LazyGroup(click.Group):
    """Knows its commands by name and summary only."""

    def __init__(self, *, lazy: Mapping[str, Lazy], name: str | None = None, help: str | None = None) -> None:
        super().__init__(name=name, help=help, context_settings={"help_option_names": ["-h", "--help"]})
        self._lazy = lazy

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what is not UTF-8, wherever it stands: it could not be sent. The arguments may be secrets."""
        for position, (before, argument) in enumerate(pairwise(["", *args]), start=1):
            if _is_text(argument) or before in PATH_OPTIONS or argument.startswith(PATH_PREFIXES):
                continue
            raise click.UsageError(f"Argument {position} is not UTF-8.", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self._lazy.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self._lazy.items()])


def _is_text(argument: str) -> bool:
    """Whether it has no lone surrogates, which is how Python shows bytes that are not UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
