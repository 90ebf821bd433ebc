"""docs/mcp.md says what the server does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from infra.cli.commands.up import HTTP_PORT
from shared.contracts.jobs import JOB_INPUT_BYTES
from shared.mcp.catalogue import TOOLS
from shared.mcp.endpoint import MCP_BYTES

TEXT = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", TEXT, re.MULTILINE))


def test_every_tool_is_in_the_table() -> None:
    assert list(ROWS) == list(TOOLS)


@pytest.mark.parametrize("name", ROWS)
def test_what_a_tool_takes_is_in_its_row(name: str) -> None:
    assert set(re.findall(r"\w+", ROWS[name])) - {"or"} == set(TOOLS[name].input_schema["properties"])


def test_bounds_and_address_are_those_of_the_code() -> None:
    assert f"{JOB_INPUT_BYTES:,} bytes" in TEXT and f"{MCP_BYTES:,}." in TEXT and f"127.0.0.1:{HTTP_PORT}/mcp" in TEXT
