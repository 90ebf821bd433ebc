from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.local.aiplatform.platform_server import Platform, serving


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[Platform]:
    with serving(tmp_path) as running:
        yield running
