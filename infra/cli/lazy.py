"""A command group that imports a command only when it is called or asked for its own help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

import click


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
