"""The unmodified ExecutionsClient and WorkflowsClient of google-cloud-workflows."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import workflows_v1
from google.cloud.workflows import executions_v1
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport
from google.cloud.workflows_v1.services.workflows.transports import WorkflowsGrpcTransport

from tests.unit.local.workflows.support import PARENT, Cloud, as_json

FLOW = f"{PARENT}/flow"
POLL = """
main:
  params: [args]
  steps:
    - begin:
        assign: [{polls: 0}]
    - poll:
        call: http.post
        args:
          url: http://127.0.0.1:9/poll
          body: {operation_id: "${args.operation_id}"}
          auth: {type: OIDC}
        result: answer
    - count:
        assign: [{polls: "${polls + 1}"}]
    - done:
        switch:
          - condition: ${answer.body.status == "completed"}
            return: {polls: "${polls}"}
    - wait:
        call: sys.sleep
        args: {seconds: "${answer.body.next_poll_seconds}"}
        next: poll
"""


@pytest.fixture
def channel(cloud: Cloud) -> Iterator[grpc.Channel]:
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    server.add_generic_rpc_handlers(tuple(cloud.part.handlers()))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as made:
        yield made
    server.stop(0).wait()


@pytest.fixture
def client(channel: grpc.Channel) -> executions_v1.ExecutionsClient:
    return executions_v1.ExecutionsClient(transport=ExecutionsGrpcTransport(channel=channel))


def start(client: executions_v1.ExecutionsClient, argument: object = None) -> executions_v1.Execution:
    text = "" if argument is None else json.dumps(argument)
    return client.create_execution(parent=FLOW, execution=executions_v1.Execution(argument=text))


def test_a_poll_loop_of_two_hours_ends_at_once(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    running = as_json({"status": "running", "next_poll_seconds": 30})
    cloud.http.answers = [running] * 240 + [as_json({"status": "completed"})]
    cloud.deploy(POLL)
    begun = cloud.clock.now()
    execution = start(client, {"operation_id": "op1"})
    assert execution.state == executions_v1.Execution.State.ACTIVE
    assert cloud.clock.run_until(lambda: cloud.ended(execution.name), limit=timedelta(hours=3))
    ended = client.get_execution(name=execution.name)
    assert ended.state == executions_v1.Execution.State.SUCCEEDED
    assert json.loads(ended.result) == {"polls": 241}
    assert timedelta(hours=2) <= cloud.clock.now() - begun < timedelta(hours=2, seconds=5)
    first = cloud.http.requests[0]
    assert json.loads(first.body) == {"operation_id": "op1"}
    assert first.headers["Authorization"].startswith("Bearer id:runner@")
    assert first.headers["Authorization"].endswith(":http://127.0.0.1:9/poll")


def test_an_unknown_workflow_is_not_found(client: executions_v1.ExecutionsClient) -> None:
    with pytest.raises(exceptions.NotFound):
        start(client)


def test_an_unknown_execution_is_not_found(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    cloud.deploy(POLL)
    with pytest.raises(exceptions.NotFound):
        client.get_execution(name=f"{FLOW}/executions/none")


@pytest.mark.parametrize("argument", ["{", "x" * 10, '"' + "x" * 33_000 + '"'])
def test_an_argument_that_is_no_json_or_too_long_is_refused(
    cloud: Cloud, client: executions_v1.ExecutionsClient, argument: str
) -> None:
    cloud.deploy(POLL)
    with pytest.raises(exceptions.InvalidArgument):
        client.create_execution(parent=FLOW, execution=executions_v1.Execution(argument=argument))


def sleeper(cloud: Cloud) -> None:
    cloud.deploy("main:\n  steps:\n    - nap: {call: sys.sleep, args: {seconds: 60}}\n")


def test_cancelling_a_sleeping_execution_ends_it_and_only_once(
    cloud: Cloud, client: executions_v1.ExecutionsClient
) -> None:
    sleeper(cloud)
    name = start(client).name
    cloud.clock.run_until(lambda: True, limit=timedelta(0))
    steps = client.get_execution(name=name).status.current_steps
    assert [(one.routine, one.step) for one in steps] == [("main", "nap")]
    assert client.cancel_execution(name=name).state == executions_v1.Execution.State.CANCELLED
    with pytest.raises(exceptions.FailedPrecondition):
        client.cancel_execution(name=name)
    assert not cloud.clock.run_until(lambda: False, limit=timedelta(hours=1))
    assert client.get_execution(name=name).state == executions_v1.Execution.State.CANCELLED


def test_basic_leaves_out_what_full_shows(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    sleeper(cloud)
    name = start(client, {"a": 1}).name
    cloud.settle(name)
    basic = client.get_execution(request={"name": name, "view": executions_v1.ExecutionView.BASIC})
    full = client.get_execution(request={"name": name, "view": executions_v1.ExecutionView.FULL})
    assert (basic.argument, full.argument) == ("", '{"a": 1}')
    assert basic.workflow_revision_id == full.workflow_revision_id != ""
    assert [one.argument for one in client.list_executions(parent=FLOW)] == [""]


def test_a_list_pages_newest_first_and_filters(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    sleeper(cloud)
    names = [start(client).name for _ in range(5)]
    client.cancel_execution(name=names[2])
    pages = list(client.list_executions(request={"parent": FLOW, "page_size": 2}).pages)
    assert [[one.name for one in page.executions] for page in pages] == [
        [names[4], names[3]],
        [names[2], names[1]],
        [names[0]],
    ]
    cancelled = client.list_executions(request={"parent": FLOW, "filter": 'state="CANCELLED"'})
    assert [one.name for one in cancelled] == [names[2]]
    oldest = client.list_executions(request={"parent": FLOW, "order_by": "startTime"})
    assert [one.name for one in oldest] == names
    with pytest.raises(exceptions.InvalidArgument):
        client.list_executions(request={"parent": FLOW, "filter": "nonsense"})


def test_labels_are_kept_and_filtered_by(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    sleeper(cloud)
    labelled = executions_v1.Execution(labels={"operation": "op7"})
    name = client.create_execution(parent=FLOW, execution=labelled).name
    start(client)
    found = client.list_executions(request={"parent": FLOW, "filter": 'labels.operation="op7"', "view": 2})
    assert [(one.name, dict(one.labels)) for one in found] == [(name, {"operation": "op7"})]


def test_a_failed_execution_says_where_and_why(cloud: Cloud, client: executions_v1.ExecutionsClient) -> None:
    cloud.http.answers = [as_json({"why": "gone"}, 404)]
    cloud.deploy("main:\n  steps:\n    - ask:\n        call: http.get\n        args: {url: http://127.0.0.1:9/}\n")
    error = client.get_execution(name=cloud.settle(start(client).name).name).error
    payload = json.loads(error.payload)
    assert (payload["code"], payload["body"], payload["tags"]) == (404, {"why": "gone"}, ["HttpError"])
    assert error.context == 'HTTP server responded with error code 404\nin step "ask", routine "main", line: 3'
    assert [(one.step, one.routine, one.position.line) for one in error.stack_trace.elements] == [("ask", "main", 3)]


def test_workflows_are_listed_and_described(cloud: Cloud, channel: grpc.Channel) -> None:
    sleeper(cloud)
    workflows = workflows_v1.WorkflowsClient(transport=WorkflowsGrpcTransport(channel=channel))
    listed = list(workflows.list_workflows(parent="projects/memex-local/locations/us-central1"))
    assert [one.name for one in listed] == [FLOW]
    described = workflows.get_workflow(name=FLOW)
    assert described.state == workflows_v1.Workflow.State.ACTIVE
    assert "sys.sleep" in described.source_contents
    with pytest.raises(exceptions.MethodNotImplemented):
        workflows.delete_workflow(name=FLOW)
