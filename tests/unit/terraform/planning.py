"""`terraform plan` without an account: the stand-in provider plans what is asked for; the rest is known after apply."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pip._vendor import msgpack  # Terraform's own form of values; pip has it for its cache

from tests.unit.terraform import provider

ROOT = Path(__file__).parents[3]
UNKNOWN = msgpack.ExtType(0, b"\x00")


class Planner(dict[str, list[dict[str, Any]]]):
    """By resource type: what was planned of it. `answers` are the calls beside those that validation makes."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        super().__init__()
        self._schema = schema
        self.answers: dict[str, provider.Answer] = {
            "PlanResourceChange": self._plan,
            "ReadDataSource": self._read,
            "Configure": lambda _request: b"",
        }

    def _plan(self, request: bytes) -> bytes:
        fields = _fields(request)
        kind, value = fields[1].decode(), _value(fields[3])
        _tell(value, self._schema["resource"][kind])
        planned = {name: None if name.endswith("_wo") else one for name, one in value.items()}
        self.setdefault(kind, []).append(planned)
        lenient = provider.number(5, 1)  # as Terraform is with the older kit, which Google's provider is made with
        return _answered(planned) + lenient

    def _read(self, request: bytes) -> bytes:
        fields = _fields(request)
        return _answered(_value(fields[2]))


def environment_of(folder: Path, packages: list[str]) -> Path:
    """A copy of what Terraform reads, with empty packages, below the folder."""
    for name in ("infra/terraform", "workflows"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars")
        )
    for name in ("infra/firestore.indexes.json", "functions/manifest.yaml"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "dist").mkdir()
    for name in packages:
        (folder / "dist" / f"{name}.zip").touch()
    return folder / "infra" / "terraform" / "environments"


def plan(terraform: str, at: Path, schema: Mapping[str, Any], variables: Mapping[str, str]) -> tuple[Planner, str]:
    """What is planned for the environment, and what Terraform says of it. Raises AssertionError when it fails."""
    planner = Planner(schema)
    with provider.serving(schema, planner.answers) as attach:
        given = {f"TF_VAR_{name}": value for name, value in variables.items()}
        quiet = {"TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1", "TF_DATA_DIR": str(at / ".terraform")}
        env = {**os.environ, **quiet, **given, "TF_REATTACH_PROVIDERS": attach}
        told = ""
        for command in (["init"], ["plan", "-lock=false"]):
            whole = [terraform, *command, "-input=false", "-no-color"]
            done = subprocess.run(whole, cwd=at, env=env, capture_output=True, text=True, timeout=100)
            if done.returncode:
                raise AssertionError(done.stderr)
            told = done.stdout
    return planner, told


def _tell(value: dict[str, Any], block: Mapping[str, Any]) -> None:
    """What the provider alone knows is known after apply."""
    for name in (*block.get("computed", ()), "id"):
        if name in value and value[name] is None:
            value[name] = UNKNOWN
    for name, inner in block["blocks"].items():
        for one in value.get(name) if isinstance(value.get(name), list) else []:
            _tell(one, inner)


def _value(dynamic: bytes) -> dict[str, Any]:
    value: dict[str, Any] = msgpack.unpackb(_fields(dynamic)[1], strict_map_key=False)
    return value


def _answered(value: Mapping[str, Any]) -> bytes:
    return provider.message(1, provider.message(1, msgpack.packb(value)))


def _fields(raw: bytes) -> dict[int, bytes]:
    """The fields of a protobuf message that hold bytes."""
    found: dict[int, bytes] = {}
    at = 0
    while at < len(raw):
        key, at = _varint(raw, at)
        size, at = _varint(raw, at)
        if key & 7 == 2:
            found[key >> 3] = raw[at : at + size]
            at += size
    return found


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
