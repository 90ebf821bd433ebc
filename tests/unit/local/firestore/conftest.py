from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.local.firestore.harness import Local


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    local = Local(tmp_path)
    yield local
    local.engine.close()
    local.clock.close()
