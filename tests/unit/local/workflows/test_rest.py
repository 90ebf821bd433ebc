"""The REST face: executions, workflows, callbacks and step entries, in the services' JSON."""

import json
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.local.workflows.support import PARENT, Cloud

FLOW = f"/v1/{PARENT}/flow"
AUTHORIZED = {"Authorization": "Bearer token"}
NAP = """
main:
  params: [args]
  steps:
    - nap: {call: sys.sleep, args: {seconds: 60}}
    - r: {return: "${args}"}
"""
WAIT = """
main:
  params: [args]
  steps:
    - make: {call: events.create_callback_endpoint, args: {http_callback_method: POST}, result: endpoint}
    - nap: {call: sys.sleep, args: {seconds: "${args.sleep}"}}
    - wait:
        try: {call: events.await_callback, args: {callback: "${endpoint}", timeout: 3600}, result: got}
        except: {as: e, steps: [{late: {return: "${e.tags}"}}]}
    - r: {return: {got: "${got}", endpoint: "${endpoint}"}}
"""


@pytest.fixture
def rest(cloud: Cloud) -> FlaskClient:
    app = Flask("front")
    app.register_blueprint(cloud.part.blueprint())
    return app.test_client()


def create(rest: FlaskClient, argument: Any = None) -> Any:
    return rest.post(f"{FLOW}/executions", json={"argument": json.dumps(argument)}).get_json()


def quiet(cloud: Cloud) -> None:
    """Let everything run that can run without time passing."""
    cloud.clock.run_until(lambda: True, limit=timedelta(0))


def test_an_execution_is_created_shown_and_ended(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(NAP)
    body = {"argument": '{"a":1}', "callLogLevel": "LOG_ALL_CALLS", "executionHistoryLevel": "EXECUTION_HISTORY_BASIC"}
    created = rest.post(f"{FLOW}/executions", json=body | {"labels": {"k": "v"}}).get_json()
    assert created["state"] == "ACTIVE"
    quiet(cloud)
    active = rest.get(f"/v1/{created['name']}").get_json()
    assert active["status"] == {"currentSteps": [{"routine": "main", "step": "nap"}]}
    assert (active["callLogLevel"], active["labels"]) == ("LOG_ALL_CALLS", {"k": "v"})
    cloud.settle(created["name"])
    ended = rest.get(f"/v1/{created['name']}", query_string={"view": "FULL"}).get_json()
    assert (ended["state"], json.loads(ended["result"])) == ("SUCCEEDED", {"a": 1})
    assert ended["status"]["currentSteps"] == [{"routine": "main", "step": "r"}]
    assert ended["startTime"] == ended["createTime"] < ended["endTime"]
    assert "argument" not in rest.get(f"/v1/{created['name']}?view=BASIC").get_json()


def test_executions_are_listed_in_pages(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(NAP)
    names = [create(rest)["name"] for _ in range(3)]
    first = rest.get(f"{FLOW}/executions?pageSize=2").get_json()
    newer = create(rest)["name"]
    second = rest.get(
        f"{FLOW}/executions", query_string={"pageSize": 2, "pageToken": first["nextPageToken"]}
    ).get_json()
    assert [one["name"] for one in first["executions"] + second["executions"]] == names[::-1]
    assert "nextPageToken" not in second
    assert rest.get(f"{FLOW}/executions?pageSize=1").get_json()["executions"][0]["name"] == newer


def test_a_cancel_is_answered_once(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(NAP)
    name = create(rest)["name"]
    assert rest.post(f"/v1/{name}:cancel", json={}).get_json()["state"] == "CANCELLED"
    again = rest.post(f"/v1/{name}:cancel", json={})
    assert (again.status_code, again.get_json()["error"]["status"]) == (400, "FAILED_PRECONDITION")


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "status"),
    [
        ("POST", f"/v1/{PARENT}/none/executions", "{}", 404, "NOT_FOUND"),
        ("GET", f"{FLOW}/executions/none", None, 404, "NOT_FOUND"),
        ("GET", f"/v1/{PARENT}/none", None, 404, "NOT_FOUND"),
        ("GET", "/v1/projects/other/locations/us-central1/workflows/flow", None, 404, "NOT_FOUND"),
        ("POST", f"{FLOW}/executions", "[]", 400, "INVALID_ARGUMENT"),
        ("POST", f"{FLOW}/executions", '{"argument": {"not": "a string"}}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{FLOW}/executions", '{"argument": "{"}', 400, "INVALID_ARGUMENT"),
        ("POST", f"{FLOW}/executions", '{"unknown": 1}', 400, "INVALID_ARGUMENT"),
        ("GET", f"{FLOW}/executions?filter=a b c", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{FLOW}/executions?orderBy=colour", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{FLOW}/executions?pageToken=zzz", None, 400, "INVALID_ARGUMENT"),
        ("GET", f"{FLOW}/executions?pageSize=-1", None, 400, "INVALID_ARGUMENT"),
        ("DELETE", FLOW, None, 501, "UNIMPLEMENTED"),
        ("POST", f"{FLOW}:triggerPubsubExecution", "{}", 501, "UNIMPLEMENTED"),
    ],
)
def test_a_refusal_has_code_and_status(
    cloud: Cloud, rest: FlaskClient, method: str, path: str, body: str | None, code: int, status: str
) -> None:
    cloud.deploy(NAP)
    answer = rest.open(path, method=method, data=body)
    error = answer.get_json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (code, code, status)
    assert error["message"]


def test_workflows_are_listed_and_described(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(NAP, env={"A": "b"})
    (listed,) = rest.get("/v1/projects/memex-local/locations/us-central1/workflows").get_json()["workflows"]
    described = rest.get(FLOW).get_json()
    assert listed["name"] == described["name"] == f"{PARENT}/flow"
    assert "sourceContents" not in listed
    assert (described["sourceContents"], described["userEnvVars"]) == (NAP, {"A": "b"})


def test_the_history_shows_each_step_with_its_type_and_state(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(
        "main:\n  steps:\n    - a: {assign: [{x: 1}]}\n    - b: {call: sub}\nsub:\n  steps:\n    - c: {raise: no}\n"
    )
    name = create(rest)["name"]
    cloud.settle(name)
    entries = rest.get(f"/v1/{name}/stepEntries").get_json()["stepEntries"]
    assert [(one["routine"], one["step"], one["stepType"], one["state"]) for one in entries] == [
        ("main", "a", "STEP_ASSIGN", "STATE_SUCCEEDED"),
        ("main", "b", "STEP_SUBWORKFLOW_CALL", "STATE_FAILED"),
        ("sub", "c", "STEP_RAISE", "STATE_FAILED"),
    ]


def callback_of(rest: FlaskClient, name: str) -> Any:
    (one,) = rest.get(f"/v1/{name}/callbacks").get_json()["callbacks"]
    return one


def test_a_callback_wakes_who_awaits_it(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.part.callback_base_url = "http://127.0.0.1:8080"
    cloud.deploy(WAIT)
    name = create(rest, {"sleep": 0})["name"]
    cloud.clock.run_until(lambda: cloud.get(name).status.current_steps[0].step == "wait", limit=timedelta(seconds=1))
    callback = callback_of(rest, name)
    assert (callback["method"], callback["waiters"]) == ("POST", "1")
    path = f"/v1/{callback['name']}"
    assert rest.post(path, json={}).status_code == 401
    assert rest.get(path, headers=AUTHORIZED).status_code == 400
    assert rest.post(f"{path}x", headers=AUTHORIZED).status_code == 404
    assert rest.post(f"{path}?q=1", json={"n": 5}, headers=AUTHORIZED).status_code == 200
    result = json.loads(cloud.settle(name).result)
    assert result["endpoint"]["url"] == f"http://127.0.0.1:8080{path}"
    request = result["got"]["http_request"]
    assert (request["body"], request["method"], request["query"]) == ({"n": 5}, "POST", {"q": "1"})
    assert "Authorization" not in request["headers"]
    assert result["got"]["type"] == "HTTP"
    assert rest.post(path, json={}, headers=AUTHORIZED).status_code == 404


def test_a_callback_before_the_await_is_kept_over_a_restart(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(WAIT)
    name = create(rest, {"sleep": 100})["name"]
    quiet(cloud)
    path = f"/v1/{callback_of(rest, name)['name']}"
    assert rest.post(path, data="plain", headers=AUTHORIZED).status_code == 200
    cloud.close()
    other = Cloud(cloud.data_dir)
    other.part.start()
    assert json.loads(other.settle(name).result)["got"]["http_request"]["body"] == "plain"
    other.close()


def test_a_callback_that_never_comes_times_out(cloud: Cloud, rest: FlaskClient) -> None:
    cloud.deploy(WAIT)
    name = create(rest, {"sleep": 0})["name"]
    ended = cloud.settle(name)
    assert json.loads(ended.result) == ["TimeoutError"]
    assert round((ended.end_time.ToDatetime() - ended.start_time.ToDatetime()).total_seconds()) == 3600
    assert cloud.meter.totals()["workflows", "external_steps"] == 1
