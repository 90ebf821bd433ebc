"""One part per test, closed at its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.local.workflows.support import Cloud


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[Cloud]:
    made = Cloud(tmp_path)
    yield made
    made.close()
