"""How a command finds the running Memex."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.cli.address import Address, find, forget, leave
from infra.cli.errors import CliError

HERE = Address("http://127.0.0.1:1", "127.0.0.1:2", "of the file")


def test_the_address_is_left_for_its_owner_alone_and_found(tmp_path: Path) -> None:
    path = leave(tmp_path, HERE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert find(None, None, None, tmp_path) == HERE
    forget(path)
    forget(path)
    assert list(tmp_path.iterdir()) == []


def test_without_an_address_a_sentence_says_what_to_start(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="memex up"):
        find(None, None, None, tmp_path)


def test_a_given_address_needs_its_own_token(tmp_path: Path) -> None:
    leave(tmp_path, HERE)
    with pytest.raises(CliError, match="MEMEX_TOKEN"):
        find("http://elsewhere", None, None, tmp_path)
    assert find("http://elsewhere/api/v1/", "mine", None, tmp_path) == Address("http://elsewhere", "", "mine")


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"http": "x"})])
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "address.json").write_text(content)
    with pytest.raises(CliError, match=r"address\.json"):
        find(None, None, None, tmp_path)
