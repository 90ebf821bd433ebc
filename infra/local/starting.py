"""A start under way: what ends it early, and the wait for the functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from infra.local.functions import health
from infra.local.functions.dispatcher import LOADED_SECONDS

READY_SECONDS = 30.0
TRIES = math.ceil(READY_SECONDS / LOADED_SECONDS)
GOOD = frozenset({"ready", "loading"})


class CannotStart(Exception):
    """The local cloud cannot be used as it is; the message says what to change."""


class StartStopped(Exception):
    """The start was called off."""


class Host(Protocol):
    """What is asked of the functions host."""

    @property
    def socket_path(self) -> Path: ...

    def wait_ready(self, seconds: float) -> bool: ...


@dataclass(frozen=True)
class Starting:
    """Says between two steps whether to go on; `called_off` is asked, `log_file` is where the host writes."""

    called_off: Callable[[], bool]
    log_file: Path

    def go_on(self) -> None:
        """Raises StartStopped."""
        if self.called_off():
            raise StartStopped

    def await_host(self, host: Host) -> None:
        """Wait until the host answers. Raises CannotStart, StartStopped."""
        for _ in range(TRIES):
            self.go_on()
            if host.wait_ready(LOADED_SECONDS):
                return
        raise CannotStart(f"The functions host does not start; see {self.log_file}.")

    def await_functions(self, host: Host) -> None:
        """Wait until each function is loaded, or is known to be broken. Raises CannotStart, StartStopped.

        A broken one answers 500 when it is called, the others work; where none can be loaded, there is no use in going
        on: that is what a wrong setting looks like.
        """
        for _ in range(TRIES):
            self.go_on()
            states = health.loaded(host.socket_path)
            if "loading" not in states.values():
                return self._judge(states)
        raise CannotStart(f"The functions are still not loaded; see {self.log_file}.")

    def _judge(self, states: dict[str, str]) -> None:
        if not states:
            raise CannotStart(f"The functions host ended while it loaded the functions; see {self.log_file}.")
        broken = [state for state in states.values() if state not in GOOD]
        if len(broken) == len(states):
            raise CannotStart(broken[0])
