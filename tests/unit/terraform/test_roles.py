"""What each account may do is what its function calls, and each role has a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from shared.contracts.manifest import FunctionRow, Manifest
from tests.unit.terraform.reach import capabilities

ROOT = Path(__file__).parents[3]
TABLE = json.loads((ROOT / "infra" / "terraform" / "roles.json").read_text())
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))
CALLERS = {"eventarc", "scheduler", "builder"}
ALIKE = {"objects-create": "objects", "research": "models", "callbacks": "executions"}
"""Capabilities that are a lesser or another form of one: research on Vertex takes what models take, and who may start
executions may wake them."""
BESIDE = {"sign"}
"""Given besides: signing is a call of the store's own library, not a module of ours."""


def alike(names: set[str] | frozenset[str]) -> set[str]:
    return {ALIKE.get(name, name) for name in names} - BESIDE


@pytest.mark.parametrize("row", MANIFEST.functions, ids=lambda row: row.name)
def test_an_account_may_do_what_its_function_calls_and_nothing_else(row: FunctionRow) -> None:
    granted = alike(set(TABLE["accounts"][row.service_account]))
    withheld = set(TABLE["withheld"].get(row.service_account, {}))
    assert not granted & withheld
    assert granted | withheld == alike(capabilities(row.entry_point))


def test_what_a_function_calls_is_told_apart() -> None:
    assert capabilities("trace_fanout") == {"publish"}
    assert capabilities("usage_meter") == {"firestore"}
    assert "models" in capabilities("enrich") and "executions" not in capabilities("enrich")


def test_there_is_one_account_for_each_function_and_workflow_and_no_other() -> None:
    functions = [row.service_account for row in MANIFEST.functions]
    workflows = [row.service_account for row in MANIFEST.workflows]
    assert len(set(functions)) == len(functions) and len(set(workflows)) == len(workflows)
    assert set(TABLE["accounts"]) == {*functions, *workflows, *CALLERS}


def test_who_calls_a_function_is_an_account_that_there_is() -> None:
    assert {caller for row in MANIFEST.functions for caller in row.callers} <= set(TABLE["accounts"])


def test_each_grant_has_a_reason_and_a_meaning() -> None:
    for part in ("accounts", "withheld"):
        for account, rows in TABLE[part].items():
            assert account in TABLE["accounts"]
            for capability, why in rows.items():
                assert capability in TABLE["capabilities"]
                assert why.endswith(".") and len(why.split()) >= 4, (account, capability)


def test_no_role_is_a_broad_one() -> None:
    roles = {row["role"] for rows in TABLE["capabilities"].values() for row in rows}
    assert all(role.startswith("roles/") for role in roles)
    assert not roles & {"roles/owner", "roles/editor", "roles/viewer"}
    assert not {role for role in roles if role.endswith((".admin", "Admin"))}


def test_only_who_answers_people_signs_addresses() -> None:
    signing = {account for account, rows in TABLE["accounts"].items() if "sign" in rows}
    assert signing == {"fn-api"}


def test_an_account_id_is_one_that_google_takes() -> None:
    assert all(re.fullmatch(r"[a-z][a-z0-9-]{4,28}[a-z0-9]", name) for name in TABLE["accounts"])


def test_keys_of_models_go_with_the_leave_to_ask_them() -> None:
    for row in MANIFEST.functions:
        keys = {"GEMINI_API_KEY", "MODEL_API_KEY"} & set(row.secrets)
        assert bool(keys) is ("models" in TABLE["accounts"][row.service_account]), row.name
