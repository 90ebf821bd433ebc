"""Serves each package as production would and measures it: `make package-check`, after `make package`.

A package is unpacked beside nothing but the packages that its own requirements.txt names, taken from this environment
by links, and served by functions-framework. What it imports beyond that is not there, and fails.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import httpx
import yaml

from shared.clock import SystemClock
from shared.contracts.manifest import FirestoreTrigger, FunctionRow, HttpTrigger, Manifest, PubSubTrigger

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
EVENT = {"ce-specversion": "1.0", "ce-id": "1", "ce-source": "//check", "ce-type": "check"}
HEAVY = ("google.genai", "duckdb", "trafilatura", "mcp", "vl_convert", "openpyxl", "docx", "pypdf", "numpy")
"""What no function may have loaded before its first request."""
MEASURE = """
import json, resource, sys, time
begin = time.perf_counter()
import main
took = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": took, "megabytes": peak / 1024, "loaded": [n for n in %r if n in sys.modules]}))
"""


@dataclass(frozen=True)
class Measured:
    """What loading a function takes: seconds, megabytes of memory at most, and what of HEAVY it has loaded."""

    function: str
    seconds: float
    megabytes: float
    loaded: tuple[str, ...]
    zip_bytes: int
    packages: int


def unpack(package: Path, target: Path) -> Path:
    """The package in target/app, the packages it requires in target/site; returns target/app."""
    app, site = target / "app", target / "site"
    with zipfile.ZipFile(package) as archive:
        archive.extractall(app)
    site.mkdir()
    for name in required(app):
        _link(name, site)
    return app


def required(app: Path) -> list[str]:
    """The distributions that the unpacked package requires and this environment has."""
    lines = (app / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition("==")[0] for line in lines if "==" in line and not line.startswith((" ", "#"))]


def environment(app: Path, row: FunctionRow) -> dict[str, str]:
    """What the process of a function finds: production's settings, and no packages but its own."""
    paths = [str(app), str(app.parent / "site")]
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    settings = {"GOOGLE_CLOUD_PROJECT": "memex-check", "THREADS": str(row.threads), "FUNCTION_TARGET": row.entry_point}
    return {**kept, **settings, **row.env, "PYTHONPATH": os.pathsep.join(paths), "PYTHONNOUSERSITE": "1"}


def measure(app: Path, row: FunctionRow, package: Path) -> Measured:
    """Load the function once in a process of its own. Raises CalledProcessError when it cannot be loaded."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE % (HEAVY,)],
        cwd=app,
        env=environment(app, row),
        check=True,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    loaded, size = tuple(found["loaded"]), package.stat().st_size
    return Measured(row.name, found["seconds"], found["megabytes"], loaded, size, len(required(app)))


def answer(app: Path, row: FunctionRow) -> int:
    """Serve it by functions-framework, as production does, and the status of its answer to a stranger."""
    kind = "cloudevent" if isinstance(row.trigger, FirestoreTrigger | PubSubTrigger) else "http"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "import functions_framework._cli as cli; cli._cli()"
    arguments = ["--target", row.entry_point, "--source", "main.py", "--signature-type", kind, "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [sys.executable, "-S", "-c", code, *arguments, "--port", str(port)],
        cwd=app,
        env=environment(app, row),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return _status(f"http://127.0.0.1:{port}{_path(row)}", server)
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def _path(row: FunctionRow) -> str:
    """An address at which the function asks who calls."""
    routes = row.trigger.routes if isinstance(row.trigger, HttpTrigger) else ()
    return f"{routes[0]}/x" if routes else "/"


def _status(url: str, server: subprocess.Popen[bytes]) -> int:
    clock = SystemClock()
    begin = clock.now()
    while (clock.now() - begin).total_seconds() < START_SECONDS and server.poll() is None:
        try:
            return httpx.post(url, json={}, headers=EVENT, timeout=START_SECONDS, trust_env=False).status_code
        except httpx.TransportError:
            clock.sleep(0.1)
    raise TimeoutError(f"no answer within {START_SECONDS:g} s; the server's exit code is {server.poll()}")


def _link(name: str, site: Path) -> None:
    """Make the files of an installed distribution seen from `site`; folders that several share are made anew."""
    for file in distribution(name).files or ():
        if file.parts[0] == "..":
            continue
        place = site / file
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.symlink_to(Path(str(distribution(name).locate_file(file))))


def table(rows: list[Measured]) -> str:
    """Markdown of what was measured."""
    lines = ["| function | zip, KB | packages | import, s | memory, MB |", "|---|---:|---:|---:|---:|"]
    for one in rows:
        sizes = f"{one.zip_bytes / 1000:.0f} | {one.packages} | {one.seconds:.2f} | {one.megabytes:.0f}"
        lines.append(f"| `{one.function}` | {sizes} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check every package in dist/; prints the table, and what is wrong."""
    import tempfile

    manifest = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text("utf-8")))
    rows, wrong = [], []
    for row in manifest.functions:
        package = ROOT / "dist" / f"{row.name}.zip"
        with tempfile.TemporaryDirectory() as folder:
            app = unpack(package, Path(folder))
            rows.append(measure(app, row, package))
            status = answer(app, row)
        if status != 401 or rows[-1].loaded:
            wrong.append(f"{row.name}: answered {status}, loaded {', '.join(rows[-1].loaded) or 'nothing heavy'}")
    sys.stdout.write(table(rows) + "".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
