"""A chat turn on the terminal: the answer as it is written, each tool call on a line of its own."""

from __future__ import annotations

import json
from typing import Any

import click

from infra.cli.places import Spelling
from infra.cli.terminal import one_line, printable, styled

WIDTH = 100
_ASIDE = frozenset({"notice", "cite_as"})
"""What an answer tells the model alone."""


class Teller:
    """Prints frames as they come."""

    def __init__(self) -> None:
        self._written = ""
        """What has come of the text that is being written."""
        self._spelling = Spelling()

    def tell(self, event: str, data: dict[str, Any]) -> None:
        if event == "delta":
            self._write(str(data["text"]))
        elif event == "draft":
            self._complete(str(data["text"]))
        elif event == "trace":
            self._trace(str(data["type"]), data["data"])

    def _trace(self, kind: str, data: dict[str, Any]) -> None:
        if kind == "model_text":
            self._complete(str(data["text"]))
            self._end()
        elif kind in ("model_error", "turn_taken_over"):
            self._end()
            if kind == "model_error" and data.get("again"):
                self._line("!", f"{data.get('message', '')}; asking again")
        elif kind == "tool_call":
            self._end()
            self._line("▸", f"{data['tool']} {_short(data['arguments'])}")
        elif kind == "tool_result":
            self._line("✓" if data["ok"] else "✗", f"{data['tool']}: {_short(data['result'])}")
        elif kind == "turn_ended":
            self._end()

    def _write(self, text: str) -> None:
        click.echo(printable(self._spelling.add(text)), nl=False)
        self._written += text

    def _complete(self, text: str) -> None:
        """The whole text so far: what is new of it, or all of it where it is another one."""
        written = self._written.lstrip()  # what is stored has no blanks around it
        if written and text.startswith(written):
            self._write(text[len(written) :])
        elif text != written.rstrip():
            self._end()
            self._write(text)

    def _end(self) -> None:
        click.echo(printable(self._spelling.rest()), nl=False)
        if self._written:
            click.echo("" if self._written.endswith("\n") else "\n", nl=False)
        self._written = ""

    def _line(self, icon: str, text: str) -> None:
        click.echo(styled(f"  {icon} {one_line(text, WIDTH)}", dim=True))


def _short(value: Any) -> str:
    """A JSON object in a few words."""
    if isinstance(value, dict) and isinstance(value.get("error"), dict):
        return str(value["error"].get("message", "failed"))
    if isinstance(value, dict):
        told = {name: item for name, item in value.items() if name not in _ASIDE}
        return ", ".join(
            f"{name}: {_word(told[name])}" for name in sorted(told, key=lambda name: _rank(name, told[name]))
        )
    return _word(value)


def _rank(name: str, item: Any) -> int:
    """What something is called comes first, then how much was found."""
    return 0 if name in ("title", "name") else 1 if isinstance(item, list) else 2


def _word(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)}" if value and isinstance(value[0], dict) else ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
