"""What a cold start imports: the time of each function's main.py, everything it pulls in and builds included."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.lab import Lab
from bench.row import Row, own_row
from bench.servers import ROOT
from infra.local.environment import Place, settings_of
from infra.local.functions.apps import read_manifest


def run(lab: Lab) -> Iterator[Row]:
    names = sorted(path.parent.name for path in Path(ROOT, "functions").glob("*/main.py"))
    place = Place("memex-local", "us-central1", "demo", "http://127.0.0.1:9", "127.0.0.1:9", "token")
    settings = {**os.environ, **settings_of(place, read_manifest(ROOT), {}, {})}
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(lab.rounds(5) + 1):
        for name in names:
            seconds = _import_ms(f"functions.{name}.main", settings)
            if number:  # the first may have had to compile
                times[name].append(seconds)
    for name in names:
        yield own_row("imports", f"functions/{name}/main.py", "ms", times[name])


def _import_ms(module: str, settings: Mapping[str, str]) -> float:
    """Milliseconds, cumulative, as python -X importtime has them."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    said = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=True).stderr
    for line in reversed(said.splitlines()):
        parts = [part.strip() for part in line.removeprefix("import time:").split("|")]
        if parts[-1] == module:
            return int(parts[1]) / 1000
    raise RuntimeError(f"{module} was not imported")
