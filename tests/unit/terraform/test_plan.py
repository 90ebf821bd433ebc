"""What Terraform would make, planned against the provider's schema without an account."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.contracts.manifest import FirestoreTrigger, Manifest, PubSubTrigger, ScheduleTrigger
from tests.unit.terraform.planning import Planner, environment_of, plan

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "infra" / "terraform" / "schema.json").read_text())
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))
TERRAFORM = shutil.which("terraform") or shutil.which("tofu")
pytestmark = pytest.mark.skipif(TERRAFORM is None, reason="terraform is not installed")


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Planner:
    environments = environment_of(tmp_path_factory.mktemp("copy"), [row.name for row in MANIFEST.functions])
    given = {"project": "my-memex", "billing_account": "0-0-0", "alert_emails": '["a@b.c"]'}
    given["settings"] = '{"MODEL_BACKEND":"vertex"}'
    made, told = plan(str(TERRAFORM), environments / "prod", SCHEMA, given)
    assert "0 to change, 0 to destroy" in told
    return made


def by(planned: Planner, kind: str, name: str = "name") -> dict[str, Any]:
    return {one[name]: one for one in planned[f"google_{kind}"]}


def test_every_function_is_as_its_row_says(planned: Planner) -> None:
    functions = by(planned, "cloudfunctions2_function")
    assert set(functions) == {row.name for row in MANIFEST.functions}
    for row in MANIFEST.functions:
        [service], [build] = functions[row.name]["service_config"], functions[row.name]["build_config"]
        assert build["entry_point"] == row.entry_point and build["runtime"] == "python313"
        assert service["available_memory"] == row.memory and service["available_cpu"] == f"{row.cpu:g}"
        assert service["timeout_seconds"] == row.timeout_seconds
        assert service["max_instance_request_concurrency"] == row.concurrency
        assert (service["min_instance_count"], service["max_instance_count"]) == (row.min_instances, row.max_instances)
        assert service["ingress_settings"] == ("ALLOW_ALL" if row.invoker == "public" else "ALLOW_INTERNAL_ONLY")
        given = {"API_TOKENS", "GEMINI_API_KEY"} & set(row.secrets)
        assert {one["key"] for one in service["secret_environment_variables"]} == given


def test_every_index_and_override_is_made(planned: Planner) -> None:
    described = json.loads((ROOT / "infra" / "firestore.indexes.json").read_text())
    assert len(planned["google_firestore_index"]) == len(described["indexes"])
    assert len(planned["google_firestore_field"]) == len(described["fieldOverrides"])
    kept = {(one["collection"], one["field"]) for one in planned["google_firestore_field"] if one["ttl_config"]}
    assert kept == {(one["collectionGroup"], one["fieldPath"]) for one in described["fieldOverrides"] if one.get("ttl")}


def test_every_trigger_is_made(planned: Planner) -> None:
    kinds: dict[type, set[str]] = {}
    for row in MANIFEST.functions:
        kinds.setdefault(type(row.trigger), set()).add(row.name)
    triggers = by(planned, "eventarc_trigger")
    assert set(triggers) == kinds[FirestoreTrigger]
    assert {one["event_data_content_type"] for one in triggers.values()} == {"application/protobuf"}
    for row in MANIFEST.functions:
        if isinstance(row.trigger, FirestoreTrigger):
            criteria = {one["attribute"]: one for one in triggers[row.name]["matching_criteria"]}
            assert criteria["document"]["value"] == row.trigger.document
            assert criteria["document"]["operator"] == "match-path-pattern"
            assert criteria["type"]["value"] == row.trigger.event
    subscriptions = by(planned, "pubsub_subscription")
    pushed = {name for name, one in subscriptions.items() if one["push_config"]}
    assert pushed == {f"eventarc-{name}" for name in kinds[PubSubTrigger]}
    assert all(subscriptions[name]["dead_letter_policy"] for name in pushed)
    jobs = by(planned, "cloud_scheduler_job")
    assert set(jobs) == kinds[ScheduleTrigger]
    assert all(jobs[row.name]["schedule"] == row.trigger.cron for row in MANIFEST.functions if row.name in jobs)  # type: ignore[union-attr]


def test_workflows_find_the_environment_of_their_rows(planned: Planner) -> None:
    workflows = by(planned, "workflows_workflow")
    assert set(workflows) == {row.name for row in MANIFEST.workflows}
    for row in MANIFEST.workflows:
        assert workflows[row.name]["source_contents"] == (ROOT / row.source).read_text()


def test_only_public_functions_may_be_called_by_everyone(planned: Planner) -> None:
    open_ones = {
        one["name"] for one in planned["google_cloud_run_v2_service_iam_member"] if one["member"] == "allUsers"
    }
    assert open_ones == {row.name for row in MANIFEST.functions if row.invoker == "public"}
    assert len(planned["google_cloud_run_v2_service_iam_member"]) == sum(
        len(row.callers) if row.invoker == "private" else 1 for row in MANIFEST.functions
    )


def test_only_who_asks_models_may_ask_vertex(planned: Planner) -> None:
    rights = [one for one in planned["google_project_iam_member"] if one["role"] == "roles/aiplatform.user"]
    table = json.loads((ROOT / "infra" / "terraform" / "roles.json").read_text())
    assert len(rights) == len([rows for rows in table["accounts"].values() if "models" in rows])


def test_production_is_protected(planned: Planner) -> None:
    [database] = planned["google_firestore_database"]
    assert database["delete_protection_state"] == "DELETE_PROTECTION_ENABLED"
    assert database["point_in_time_recovery_enablement"] == "POINT_IN_TIME_RECOVERY_ENABLED"
    assert by(planned, "storage_bucket")["my-memex-objects"]["force_destroy"] is False
    assert planned["google_billing_budget"] and planned["google_firestore_backup_schedule"]
