"""What it ran on: the machine, its load, the versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

PACKAGES = ("google-cloud-firestore", "google-cloud-pubsub", "google-cloud-workflows", "grpcio", "protobuf")


def describe(emulators: dict[str, str]) -> dict[str, Any]:
    """Machine, versions, date and present load."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "memory_gb": _memory_gb(), "system": platform.platform()},
        "load": load(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
        "emulators": emulators,
        "java": _java() if emulators else None,
    }


def load() -> list[float]:
    """The load averages of the last 1, 5 and 15 minutes."""
    return [round(each, 1) for each in os.getloadavg()]


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory_gb() -> float:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)


def _java() -> str:
    said = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False)
    return (said.stderr or said.stdout).partition("\n")[0]
