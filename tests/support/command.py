"""The `memex` command in processes of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = (sys.executable, "-c", "from infra.cli.main import main; main()")
ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240


def memex(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, input=text, timeout=SECONDS)


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [*COMMAND, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def up(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """`memex up --json` on free ports, once it is ready: the process and its line."""
    process = started("up", "--json", "--http-port", "0", "--grpc-port", "0", *arguments)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate(timeout=SECONDS)[1]
        yield process, json.loads(line)
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=SECONDS)
