"""A panel that is drawn anew while something goes on, on a terminal; elsewhere there is none."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from infra.cli.terminal import is_terminal, wants_colour

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable
    from rich.live import Live


class Panel:
    """A context; while inside, what `drawn` gives stands on the terminal, and once more when it is left."""

    def __init__(self, drawn: Callable[[], ConsoleRenderable]) -> None:
        self._drawn = drawn
        self._live: Live | None = None

    def __enter__(self) -> Panel:
        if is_terminal():
            from rich.console import Console
            from rich.live import Live

            console = Console(no_color=not wants_colour(), highlight=False)
            self._live = Live(get_renderable=self._drawn, console=console, refresh_per_second=8)
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.refresh()
            self._live.__exit__(kind, error, trace)

    @property
    def shown(self) -> bool:
        """Whether it is there: else what happens is told in lines."""
        return self._live is not None

    @property
    def width(self) -> int:
        """In characters; 80 where there is none."""
        return self._live.console.width if self._live else 80
