"""Differences that the random comparison found and that were mended: each must stay as Google's emulator answers.

A case is a file in cases/: requests as protobuf text, each with the code and the content of its answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format

from infra.local.firestore import wire
from tests.contract.parity.firestore_side import Side
from tests.contract.parity.script import comparable
from tests.contract.parity.values import placed
from tests.contract.servers import Server

CASES = sorted(Path(__file__).with_name("cases").glob("*.json"))


@pytest.fixture
def side(firestore_server: Server) -> Iterator[Side]:
    made = Side(firestore_server.address, firestore_server.indexes)
    yield made
    made.close()


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_difference_that_was_mended_stays_mended(side: Side, project: str, file: Path) -> None:
    for step in json.loads(file.read_text(encoding="utf-8"))["steps"]:
        request: Any = text_format.Parse(step["request"], wire.message(f"{step['method']}Request")())
        answer = comparable(side.ask(step["method"], placed(request, project)), project)
        assert (answer.code, answer.content) == (step["code"], step["content"]), answer.text
