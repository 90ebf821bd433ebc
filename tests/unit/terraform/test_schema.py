"""Terraform's files and the provider's own schema."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.terraform.hcl import blocks_of
from tests.unit.terraform.checking import problems
from tests.unit.terraform.provider import serving

FOLDER = Path(__file__).parents[3] / "infra" / "terraform"
SCHEMA = json.loads((FOLDER / "schema.json").read_text())
BLOCKS = list(blocks_of(FOLDER))
TERRAFORM = shutil.which("terraform") or shutil.which("tofu")
installed = pytest.mark.skipif(TERRAFORM is None, reason="terraform is not installed")


def run(*arguments: str, at: Path, attach: str, data: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TF_REATTACH_PROVIDERS": attach, "TF_DATA_DIR": str(data), "TF_CLI_CONFIG_FILE": os.devnull}
    return subprocess.run(
        [str(TERRAFORM), *arguments, "-no-color"],
        cwd=at,
        env={**env, "CHECKPOINT_DISABLE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
    )


def validated(environment: Path, data: Path) -> subprocess.CompletedProcess[str]:
    with serving(SCHEMA) as attach:
        made_ready = run("init", "-backend=false", "-input=false", at=environment, attach=attach, data=data)
        assert made_ready.returncode == 0, made_ready.stderr
        return run("validate", at=environment, attach=attach, data=data)


def test_every_resource_and_argument_is_one_of_the_providers() -> None:
    found = []
    for block in BLOCKS:
        if block.kind in ("resource", "data"):
            found += problems(block.body, SCHEMA[block.kind][block.labels[0]], block.address)
    assert found == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"name": "x", "location": "l", "versoning": []}, "b: there is no versoning"),
        ({"name": "x"}, "b: location is missing"),
        ({"name": "x", "location": "l", "cors": [{"origins": []}]}, "b.cors: there is no origins"),
        (
            {"name": "x", "location": "l", "versioning": [{"enabled": True}] * 2},
            "b: versioning is there more than once",
        ),
        ({"name": "x", "location": "l", "dynamic": [{"corse": {"content": [{}]}}]}, "b: there is no block corse"),
    ],
)
def test_what_the_provider_does_not_know_is_found(body: dict[str, object], problem: str) -> None:
    assert problem in list(problems(body, SCHEMA["resource"]["google_storage_bucket"], "b"))


def test_the_schema_is_of_the_version_that_is_asked_for() -> None:
    asked = {
        line for path in FOLDER.rglob("*.tf") for line in path.read_text().splitlines() if "hashicorp/google" in line
    }
    assert asked and all('version = "~> 6.50"' in line for line in asked)
    versions = {one["version"] for kind in ("resource", "data") for one in SCHEMA[kind].values()}
    assert versions == {"6.50.0"}


def test_the_schema_holds_what_is_used_and_no_more() -> None:
    for kind in ("resource", "data"):
        assert set(SCHEMA[kind]) == {block.labels[0] for block in BLOCKS if block.kind == kind}


@installed
def test_the_files_are_formatted_as_terraform_does() -> None:
    done = subprocess.run(
        [str(TERRAFORM), "fmt", "-check", "-recursive", str(FOLDER)],
        env={**os.environ, "TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout


@installed
@pytest.mark.parametrize("environment", ["staging", "prod"])
def test_terraform_finds_each_environment_valid(environment: str, tmp_path: Path) -> None:
    done = validated(FOLDER / "environments" / environment, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@installed
def test_terraform_finds_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    text = 'resource "google_storage_bucket" "b" {\n  name = "b"\n  locaton = "US"\n}\n'
    (wrong / "main.tf").write_text(text)
    done = validated(wrong, tmp_path / "data")
    assert done.returncode != 0 and "locaton" in done.stderr and '"location" is required' in done.stderr
