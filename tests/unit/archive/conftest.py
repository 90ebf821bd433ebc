"""A place for files of every kind that the archive may have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.gateway.objects import Objects, connect
from tests.support.s3 import S3, serve_s3


@pytest.fixture(scope="session")
def s3() -> Iterator[S3]:
    with serve_s3("archive") as server:
        yield server


@pytest.fixture(params=["file", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "s3":
        server: S3 = request.getfixturevalue("s3")
        return connect(f"s3://archive/{tmp_path.name}", server.options)
    return connect(tmp_path.as_uri(), {})
