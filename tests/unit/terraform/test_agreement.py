"""Manifest, Terraform, workflows, settings, the local cloud and the docs say the same, name by name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic.fields import FieldInfo

from infra.local.environment import Place, settings_of
from infra.terraform.hcl import blocks_of, parse
from shared import config
from shared.contracts.events import TRACE_TOPIC, EventType
from shared.contracts.manifest import FunctionRow, Manifest, PubSubTrigger

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "infra" / "terraform"
MEMEX = FOLDER / "modules" / "memex"
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))
LOCALS = parse(MEMEX / "main.tf")["locals"][0]
BLOCKS = {block.address: block.body for block in blocks_of(FOLDER / "modules")}
PROVIDED = {
    "GOOGLE_CLOUD_PROJECT_ID",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_WORKFLOW_ID",
    "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ID",
}


def given_settings() -> set[str]:
    return set(re.findall(r"\b([A-Z][A-Z_]+)\s*=", LOCALS["settings"]))


def default(field: FieldInfo) -> Any:
    found = field.get_default(call_default_factory=True)
    return list(found) if isinstance(found, tuple) else found


def test_what_a_row_leaves_out_is_the_same_in_terraform() -> None:
    ours = {name: default(field) for name, field in FunctionRow.model_fields.items() if not field.is_required()}
    assert LOCALS["defaults"] == ours


def test_every_field_of_a_row_reaches_the_function() -> None:
    text = (FOLDER / "modules" / "functions" / "main.tf").read_text() + (
        FOLDER / "modules" / "triggers" / "main.tf"
    ).read_text()
    for name in FunctionRow.model_fields:
        assert name == "name" or re.search(rf"each\.value\.{name}\b|row\.{name}\b", text), name


def test_terraform_gives_settings_that_there_are() -> None:
    assert given_settings() <= config.names()


def test_functions_find_what_they_find_in_the_local_cloud() -> None:
    place = Place("p", "l", "w", "http://127.0.0.1:1", "127.0.0.1:2", "t")
    local = set(settings_of(place, MANIFEST, {}, {"OBJECTS_URL": "file:///x"})) & config.names()
    emulation = {
        "PUBSUB_EMULATOR_HOST",
        "WORKFLOWS_ENDPOINT",
        "EMULATED_WEB",
        "SESSIONS_BASE_URL",
        "SESSIONS_ENGINE",
        "ID_TOKEN_KEYS_URL",
    }
    emulation |= {"RESEARCH_BASE_URL", "MODEL_BASE_URL", "BRAIN_MODELS", "REDIRECT_HOSTS", "MCP_HOSTS"}
    paces = {"RESEARCH_POLL_MIN_SECONDS", "LAUNCH_LEASE_SECONDS", "CHAT_LEASE_SECONDS", "RUN_LEASE_SECONDS"}
    chosen = {"ALLOW_AGENT_RUNS"}
    secret = {"API_TOKENS", "GEMINI_API_KEY"}
    assert local - emulation - paces - chosen - secret <= given_settings()


def test_no_secret_is_a_plain_setting() -> None:
    secrets = {secret for row in MANIFEST.functions for secret in row.secrets}
    assert not secrets & given_settings()
    assert set(BLOCKS["variable.secret_names"]["default"]) <= secrets


@pytest.mark.parametrize("row", MANIFEST.workflows, ids=lambda row: row.name)
def test_a_workflow_reads_what_its_row_gives_it(row: Any) -> None:
    read = set(re.findall(r'get_env\("([A-Z_]+)"', (ROOT / row.source).read_text()))
    assert read - PROVIDED == set(row.env)
    names = {value.removeprefix("function:") for value in row.env.values() if value.startswith("function:")}
    assert names <= {function.name for function in MANIFEST.functions}


def test_workflows_call_private_functions_that_name_their_account() -> None:
    for row in MANIFEST.workflows:
        for value in row.env.values():
            function = MANIFEST.function(value.removeprefix("function:"))
            assert row.service_account in function.callers and function.invoker == "private"


def test_the_sources_that_terraform_reads_are_there() -> None:
    assert LOCALS["root"] == "${path.module}/../../../.." and (MEMEX / "../../../..").resolve() == ROOT
    described = parse(FOLDER / "modules" / "data" / "main.tf")["locals"][0]["described"]
    assert "../../../firestore.indexes.json" in described
    assert (FOLDER / "modules" / "data" / "../../../firestore.indexes.json").resolve().is_file()


def test_topics_are_those_of_the_manifest() -> None:
    topics = {row.name for row in MANIFEST.topics}
    assert topics == {TRACE_TOPIC}
    assert {row.trigger.topic for row in MANIFEST.functions if isinstance(row.trigger, PubSubTrigger)} <= topics
    assert 'topics["trace-events"]' in (MEMEX / "main.tf").read_text()


def test_every_index_has_a_name_of_its_own() -> None:
    indexes = json.loads((ROOT / "infra" / "firestore.indexes.json").read_text())
    keys = [
        (one["collectionGroup"], one["queryScope"])
        + tuple((f["fieldPath"], f.get("order", f.get("arrayConfig", "VECTOR"))) for f in one["fields"])
        for one in indexes["indexes"]
    ]
    fields = [(one["collectionGroup"], one["fieldPath"]) for one in indexes["fieldOverrides"]]
    assert len(set(keys)) == len(keys) and len(set(fields)) == len(fields)


def test_only_what_may_go_has_a_time_to_live() -> None:
    indexes = json.loads((ROOT / "infra" / "firestore.indexes.json").read_text())
    going = {(one["collectionGroup"], one["fieldPath"]) for one in indexes["fieldOverrides"] if one.get("ttl")}
    assert going == {("events", "expire_at"), ("effects", "expire_at"), ("leases", "expire_at"), ("trash", "expire_at")}


def test_the_alert_on_failures_waits_for_an_event_that_there_is() -> None:
    body = BLOCKS["resource.google_pubsub_subscription.failed"]
    assert body["filter"] == f'attributes.type = \\"{EventType.FAILED}\\"'


def test_an_alert_says_what_it_means_and_what_to_do() -> None:
    alerts = json.loads((FOLDER / "modules" / "watching" / "alerts.json").read_text())
    for name, alert in alerts.items():
        assert alert["means"].endswith(".") and alert["do"].endswith("."), name
        if "log" in alert:
            assert f"user/memex-{name}" in alert["filter"]


@pytest.mark.parametrize("environment", ["staging", "prod"])
def test_an_environment_hands_on_variables_that_the_module_has(environment: str) -> None:
    body = next(b.body for b in blocks_of(FOLDER / "environments" / environment) if b.address == "module.memex")
    known = {address.removeprefix("variable.") for address in _variables()}
    assert set(body) - {"source"} <= known


def test_the_docs_name_every_variable_a_person_may_set_and_every_target() -> None:
    text = (ROOT / "docs" / "deploy.md").read_text()
    named = {b.labels[0] for b in blocks_of(FOLDER / "environments" / "prod") if b.kind == "variable"}
    assert [name for name in sorted(named) if f"`{name}`" not in text] == []
    for target in ("package", "plan", "deploy", "smoke", "destroy", "schema"):
        assert f"make {target}" in text
    environments = {path.name for path in (FOLDER / "environments").iterdir()}
    assert environments == {"staging", "prod"}


def test_environments_differ_in_what_an_environment_is_given_alone() -> None:
    staging, prod = (
        (FOLDER / "environments" / name / "main.tf").read_text().splitlines() for name in ("staging", "prod")
    )
    assert len(staging) == len(prod)
    differing = [line.split()[0] for line, other in zip(staging, prod, strict=True) if line != other]
    assert differing == ["#", "environment", "protected", "backup_days", "monthly_budget"]


def _variables() -> set[str]:
    return {block.address for block in blocks_of(MEMEX) if block.kind == "variable"}
