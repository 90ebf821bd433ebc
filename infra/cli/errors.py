"""How a command says that it could not do its work."""

from __future__ import annotations

import json
from typing import IO, Any

import click

from infra.cli.terminal import printable
from shared.redaction import redacted


class CliError(click.ClickException):
    """A sentence on standard error, and exit code 1; with --json the error's body instead of the sentence."""

    def __init__(self, message: str, *, code: str = "failed", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.details = code, details or {}
        context = click.get_current_context(silent=True)
        self._as_json = bool(context and context.params.get("as_json"))

    def show(self, file: IO[Any] | None = None) -> None:
        if self._as_json:
            body = {"error": {"code": self.code, "message": self.message, "details": self.details}}
            click.echo(redacted(json.dumps(body)), file=file, err=file is None)
            return
        field = self.details.get("field")
        told = not field or self.message.startswith(f"{field}:")
        named = "" if told else f" (field: {field})"
        click.echo(f"memex: {redacted(printable(self.message + named))}", file=file, err=file is None)
