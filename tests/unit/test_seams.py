"""Time, randomness and the environment come through the seams; nothing takes them from the air."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FORBIDDEN = {
    "time.time",
    "time.sleep",
    "time.monotonic",
    "time.perf_counter",
    "datetime.now",
    "datetime.utcnow",
    "datetime.datetime.now",
    "datetime.date.today",
    "date.today",
    "uuid.uuid4",
    "uuid.uuid1",
    "uuid4",
    "random.random",
    "random.choice",
    "random.randint",
    "random.uniform",
    "secrets.token_hex",
    "secrets.token_urlsafe",
    "os.urandom",
    "os.environ",
    "os.getenv",
}

SEAMS = {
    "shared/clock.py": {"time.sleep", "datetime.now", "time.monotonic"},
    "shared/config.py": {"os.environ"},
    "infra/local/clock.py": {"time.sleep", "datetime.now", "time.monotonic"},
}
"""Where each may be used: the seam itself."""


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def taken_from_the_air(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of each use of a forbidden name in the source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute | ast.Name) and _dotted(node) in FORBIDDEN:
            yield node.lineno, _dotted(node)


def test_the_product_takes_time_randomness_and_environment_from_the_seams() -> None:
    found = []
    for folder in ("shared", "functions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            allowed = SEAMS.get(name, set())
            found += [
                f"{name}:{line} {what}" for line, what in taken_from_the_air(path.read_text()) if what not in allowed
            ]
    assert not found, "\n".join(found)


def test_a_planted_use_is_found() -> None:
    planted = (
        "import time, datetime\nx = time.time()\ny = datetime.datetime.now()\nfrom uuid import uuid4\nz = uuid4()\n"
    )
    assert [what for _, what in taken_from_the_air(planted)] == ["time.time", "datetime.datetime.now", "uuid4"]
