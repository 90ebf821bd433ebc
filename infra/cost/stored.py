"""The figures that are kept beside the code: what scenarios used, and how long functions take."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.cost.billing import Machine
from infra.cost.world import ROOT

FIGURES, MACHINE = ROOT / "infra" / "cost" / "figures.json", ROOT / "infra" / "cost" / "machine.json"
_LOAD_ROW = re.compile(r"^\| `([a-z-]+)` \| \d+ \| \d+ \| ([\d.]+) \|", re.MULTILINE)


def load(path: Path) -> dict[str, Any]:
    """The figures; none where there is no file."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def write(path: Path, figures: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def machine() -> Machine:
    """How long functions take, as it was measured."""
    return Machine(**load(MACHINE))


def load_seconds() -> dict[str, float]:
    """Seconds of import by function: the table of docs/deploy.md, which `make package-check` prints."""
    table = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    return {name: float(seconds) for name, seconds in _LOAD_ROW.findall(table)}
