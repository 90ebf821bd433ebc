"""Steps of every kind, by tables of workflows with what they return or raise."""

import json
from typing import Any

import pytest

from tests.unit.local.workflows import cases_of_calls, cases_of_flow
from tests.unit.local.workflows.cases import Case
from tests.unit.local.workflows.support import Cloud

CASES = cases_of_flow.CASES + cases_of_calls.CASES


def full(workflow: str) -> str:
    if "main:" in workflow:
        return workflow
    return "main:\n  steps:\n" + "\n".join("    " + line for line in workflow.strip("\n").splitlines())


def matches(error: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(error, dict):
        return wanted in error["tags"]
    return bool(error == wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_workflow_does_what_its_page_says(cloud: Cloud, case: Case) -> None:
    if case.error is None:
        assert cloud.result(full(case.workflow), case.argument) == case.result
    else:
        error = cloud.error(full(case.workflow), case.argument)
        assert matches(error, case.error), error


def test_a_list_of_steps_and_json_are_workflows_too(cloud: Cloud) -> None:
    assert cloud.result("- a:\n    return: 1\n") == 1
    assert cloud.result('[{"a": {"return": "${1 + 1}"}}]') == 2


def test_the_environment_knows_the_execution_and_the_users_variables(cloud: Cloud) -> None:
    names = [
        "GOOGLE_CLOUD_PROJECT_ID",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_WORKFLOW_ID",
        "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ID",
        "RESEARCH_URL",
    ]
    reads = ", ".join(f"'${{sys.get_env(\"{name}\")}}'" for name in names)
    source = f'main: {{steps: [{{r: {{return: [{reads}, \'${{sys.get_env("NONE", "standby")}}\']}}}}]}}'
    cloud.deploy(source, env={"RESEARCH_URL": "http://127.0.0.1:8080"})
    execution = cloud.settle(cloud.begin())
    expected = [
        "memex-local",
        "us-central1",
        "flow",
        execution.name.rsplit("/")[-1],
        "http://127.0.0.1:8080",
        "standby",
    ]
    assert json.loads(execution.result) == expected
    assert "KeyError" in cloud.error("main: {steps: [{r: {return: '${sys.get_env(\"NONE\")}'}}]}")["tags"]


def test_a_parallel_step_takes_as_long_as_its_longest_branch(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - p:
        parallel:
          branches:
            - a: {steps: [{s: {call: sys.sleep, args: {seconds: 30}}}]}
            - b: {steps: [{s: {call: sys.sleep, args: {seconds: 50}}}]}
    - q:
        parallel:
          concurrency_limit: 1
          for: {value: v, range: [1, 3], steps: [{s: {call: sys.sleep, args: {seconds: 10}}}]}
"""
    execution = cloud.run(source)
    assert round((execution.end_time.ToDatetime() - execution.start_time.ToDatetime()).total_seconds()) == 80


def test_sleep_until_waits_for_the_time_and_a_time_that_has_passed_is_no_wait(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - a: {call: sys.sleep_until, args: {time: "2026-01-01T03:00:00Z"}}
    - b: {call: sys.sleep_until, args: {time: "2025-01-01T00:00:00Z"}}
    - r: {return: "${time.format(sys.now())}"}
"""
    assert cloud.result(source).startswith("2026-01-01T03:00:00")


def test_ids_are_fresh_and_logs_do_not_return(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - l: {call: sys.log, args: {text: hello, severity: INFO}, result: x}
    - r: {return: ["${x}", "${uuid.generate() != uuid.generate()}"]}
"""
    assert cloud.result(source) == [None, True]
