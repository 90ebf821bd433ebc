"""What all parts of one local cloud share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from infra.local.clock import Clock
from infra.local.faults import Faults
from infra.local.iam import Iam
from infra.local.meter import Meter


@dataclass(frozen=True)
class Seams:
    """Where the data lies, what time it is, what is counted, what goes wrong on purpose, and who is who."""

    data_dir: Path
    clock: Clock
    meter: Meter
    faults: Faults
    iam: Iam
