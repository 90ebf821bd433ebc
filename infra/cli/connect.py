"""From a command's address options to a client."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from infra.cli.address import find

if TYPE_CHECKING:
    from infra.cli.client import ApiClient


def connect(
    url: str | None, token: str | None, data: Path, as_json: bool, *, timeout_seconds: float = 30.0
) -> ApiClient:
    """A client of the Memex that the options name. Raises CliError when none is named and none runs here."""
    from infra.cli.client import ApiClient

    workspace = os.environ.get("MEMEX_WORKSPACE", "")
    return ApiClient(find(url, token, None, data), timeout_seconds=timeout_seconds, workspace=workspace)
