"""For tests: a process that kills itself at a named fault point, once over all its lives."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from shared import faultpoint
from shared.errors import SettingsError


def install(setting: str) -> None:
    """Arm "point@file": the first process to reach the point makes the file and dies as by SIGKILL."""
    point, remembered = parse(setting)

    def die(name: str) -> None:
        if name == point and _first(remembered):
            os.kill(os.getpid(), signal.SIGKILL)

    faultpoint.install(die)


def parse(setting: str) -> tuple[str, Path]:
    """Point and file. Raises SettingsError."""
    point, separator, remembered = setting.partition("@")
    if not point or not separator or not remembered:
        raise SettingsError(f"FAULT_KILL is {setting!r}: give point@file.")
    return point, Path(remembered)


def _first(remembered: Path) -> bool:
    try:
        remembered.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
