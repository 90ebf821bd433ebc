"""Note in, report out: through HTTP, Google's clients, the trigger, the workflow and the emulated agent."""

from __future__ import annotations

import json

import pytest
from google.cloud import pubsub_v1
from google.cloud.workflows.executions_v1 import Execution, ExecutionsClient
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport

from tests.e2e.world import QUESTION, World


def test_a_tagged_note_becomes_a_cited_report_linked_to_its_source(world: World) -> None:
    operation = world.research()
    assert operation["status"] == "completed", operation["error"]
    (report,) = world.notes("research")
    report = world.note(report["id"])
    assert operation["result_note_id"] == report["id"]
    assert report["source_note_id"] == operation["source_note_id"]
    assert report["operation_id"] == operation["id"]
    assert "research-report" in report["tags"]
    assert "research" not in report["tags"]
    titles = {citation["title"] for citation in report["citations"]}
    assert titles & {"Cold retard log", "Rye in sourdough"}
    assert all(f"[{citation['n']}]" in report["body"] for citation in report["citations"])
    assert world.paid_runs == [operation["interaction_id"]]
    assert operation["usage"]["output_tokens"] > 0


def test_the_trace_is_dense_ends_once_and_reaches_pubsub(world: World) -> None:
    subscriber = pubsub_v1.SubscriberClient(
        transport=pubsub_v1.SubscriberClient.get_transport_class("grpc")(channel=world.channel)
    )
    name = "projects/memex-local/subscriptions/watch"
    subscriber.create_subscription(name=name, topic="projects/memex-local/topics/trace-events")
    operation = world.research()
    stored = [json.loads(frame.data) for frame in world.events(operation["id"])]
    assert [event["seq"] for event in stored] == list(range(1, len(stored) + 1))
    assert [event["type"] for event in stored].count("completed") == 1
    assert stored[-1]["type"] == "completed"
    assert {"created", "execution_started", "interaction_started", "thought", "writing"} <= {
        event["type"] for event in stored
    }
    received: dict[str, dict] = {}
    while {event["id"] for event in stored} - set(received):
        pulled = subscriber.pull(subscription=name, max_messages=100, timeout=10).received_messages
        for message in pulled:
            envelope = json.loads(message.message.data)
            assert message.message.attributes["workspace"] == "demo"
            assert message.message.attributes["type"] == envelope["type"]
            assert message.message.attributes["stream"] == envelope["stream"]
            received[envelope["id"]] = envelope
        subscriber.acknowledge(subscription=name, ack_ids=[message.ack_id for message in pulled])
    assert all(received[event["id"]] == event for event in stored)


def test_a_stream_resumed_at_any_event_equals_an_uninterrupted_one(world: World) -> None:
    operation = world.research()
    whole = world.events(operation["id"])
    for position, frame in enumerate(whole):
        assert world.events(operation["id"], last_event_id=frame.id) == whole[position + 1 :]


@pytest.mark.slow
def test_a_stream_followed_while_the_run_goes_on_equals_the_stored_one(world: World) -> None:
    world.write_note(QUESTION, "research")
    world.until(lambda: bool(world.stored_operations()))
    (operation,) = world.stored_operations()
    live = world.events(operation["id"])
    assert live == world.events(operation["id"])
    assert json.loads(live[-1].data)["type"] == "completed"


def test_a_cursor_in_the_future_is_refused_by_name(world: World) -> None:
    operation = world.research()
    answer = world.act(
        lambda: world.http.get(f"/api/v1/operations/{operation['id']}/events", headers={"Last-Event-ID": "9999"})
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["details"]["field"] == "Last-Event-ID"


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields", [{"body": QUESTION, "tags": ["research"]}, {"body": QUESTION, "tags": ["research"], "kind": "capture"}]
)
def test_a_note_written_past_the_api_is_completed_and_researched(world: World, fields: dict[str, object]) -> None:
    world.firestore.document("workspaces/demo/notes/from-elsewhere").set(fields)
    world.until(world.finished)
    world.settle()
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed"
    note = world.note("from-elsewhere")
    assert note["kind"] == "capture"
    assert note["title"]
    assert note["created_at"]


@pytest.mark.slow
def test_a_tag_added_later_starts_research_and_other_edits_do_not(world: World) -> None:
    note_id = world.write_note(QUESTION)
    world.settle()
    assert world.stored_operations() == []
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"tags": ["research"]})
    world.until(world.finished)
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"title": "Another title"})
    world.settle()
    assert len(world.stored_operations()) == 1


@pytest.mark.slow
def test_taking_the_tag_off_and_adding_it_again_starts_a_new_run(world: World) -> None:
    first = world.research()
    note = f"/api/v1/notes/{first['source_note_id']}"
    world.request("PATCH", note, json={"tags": []})
    world.settle()
    world.request("PATCH", note, json={"tags": ["research"]})
    world.until(lambda: len(world.stored_operations()) == 2 and world.finished())
    assert [operation["status"] for operation in world.stored_operations()] == ["completed", "completed"]
    assert len(world.paid_runs) == 2


@pytest.mark.slow
def test_a_second_tagging_while_research_runs_joins_the_running_operation(world: World) -> None:
    note_id = world.write_note(QUESTION, "research")
    world.until(lambda: bool(world.paid_runs))
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"tags": []})
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"tags": ["research"]})
    world.until(world.finished)
    world.settle()
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed"
    assert len(world.paid_runs) == 1


@pytest.mark.slow
def test_a_report_never_triggers_research(world: World) -> None:
    world.research()
    world.firestore.document("workspaces/demo/notes/a-report").set(
        {"kind": "research", "body": "A report.", "tags": ["research"]}
    )
    world.settle()
    assert len(world.stored_operations()) == 1


@pytest.mark.slow
def test_a_workflow_executed_by_hand_finds_or_creates_the_operation(world: World) -> None:
    note_id = world.write_note(QUESTION)
    client = ExecutionsClient(transport=ExecutionsGrpcTransport(channel=world.channel))
    argument = json.dumps({"workspace": "demo", "note_id": note_id})
    parent = "projects/memex-local/locations/us-central1/workflows/research"
    client.create_execution(parent=parent, execution=Execution(argument=argument))
    world.until(world.finished)
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed"
    assert operation["source_note_id"] == note_id
