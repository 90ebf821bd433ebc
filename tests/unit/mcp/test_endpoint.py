"""What is refused before the protocol begins, and by its two eras; the tools in the same process, by raw JSON-RPC."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.mcp.catalogue import TOOLS
from shared.mcp.endpoint import MCP_BYTES, respond
from shared.store.workspace import WorkspaceStore
from tests.support.http import AUTH, settings
from tests.support.seams import FakeClock

HOST = "memex.example"
HEADERS = {**AUTH, "Host": HOST, "Accept": "application/json", "Content-Type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ERAS = {
    "legacy": ({"MCP-Protocol-Version": "2025-11-25"}, {}),
    "current": (
        {"MCP-Protocol-Version": "2026-07-28"},
        {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    ),
}


@pytest.fixture
def client(firestore: Client, store: WorkspaceStore, clock: FakeClock) -> FlaskClient:
    app = App(settings(store.workspace, MCP_HOSTS=f"{HOST}, other:*", MODEL_BACKEND="none"), clock=clock)
    vars(app).update(firestore=firestore)
    flask = Flask("mcp")
    methods = ["GET", "POST", "DELETE", "OPTIONS"]

    def everything() -> Response:
        return respond(app, request)

    flask.add_url_rule("/mcp", "mcp", everything, methods=methods, provide_automatic_options=False)
    return flask.test_client()


def error(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert (answer.json["jsonrpc"], answer.json["id"]) == ("2.0", None) and answer.json["error"]["code"] == -32600
    return dict(answer.json["error"])


def call(client: FlaskClient, tool: str, arguments: Any, era: str = "current") -> Any:
    """The result of a tool call."""
    headers, meta = ERAS[era]
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    routing = {"Mcp-Method": "tools/call", "Mcp-Name": tool} if meta else {}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    answer = client.post("/mcp", headers={**HEADERS, **headers, **routing}, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json["result"]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_a_good_token_nothing_is_answered(client: FlaskClient, method: str, headers: dict[str, str]) -> None:
    answer = client.open("/mcp", method=method, headers={"Host": HOST, **headers})
    assert error(answer, 401)["data"]["code"] == "unauthorized" and answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_are_no_streams_to_open_and_no_sessions_to_end(client: FlaskClient, method: str) -> None:
    answer = client.open("/mcp", method=method, headers=HEADERS)
    assert error(answer, 405)["message"] and answer.headers["Allow"] == "POST"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("host", ["evil.example", "memex.example.evil.example", "memex.example:81", "other"])
def test_a_host_that_is_none_of_ours_is_refused(client: FlaskClient, era: str, host: str) -> None:
    answer = client.post("/mcp", headers={**HEADERS, **ERAS[era][0], "Host": host}, json=LIST)
    assert "MCP_HOSTS" in error(answer, 421)["message"]


@pytest.mark.parametrize("era", ERAS)
def test_a_page_of_another_origin_is_refused(client: FlaskClient, era: str) -> None:
    headers = {**HEADERS, **ERAS[era][0]}
    answer = client.post("/mcp", headers={**headers, "Origin": "https://evil.example"}, json=LIST)
    assert "https://evil.example" in error(answer, 403)["message"]
    assert client.post("/mcp", headers={**headers, "Origin": f"https://{HOST}"}, json=LIST).status_code != 403


def test_a_huge_request_is_refused_before_it_is_read(client: FlaskClient) -> None:
    answer = client.post("/mcp", headers=HEADERS, data=b" " * (MCP_BYTES + 1))
    assert error(answer, 413)["message"] == f"The body is larger than {MCP_BYTES} bytes."


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"[" * 100_000, b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b"}"]
)
def test_what_is_no_message_is_refused_in_the_protocol(client: FlaskClient, era: str, body: bytes) -> None:
    answer = client.post("/mcp", headers={**HEADERS, **ERAS[era][0]}, data=body)
    assert answer.status_code == 400 and answer.json is not None and answer.json["error"]["code"] < 0


@pytest.mark.parametrize("era", ERAS)
def test_a_note_is_written_once_for_its_key_and_found(client: FlaskClient, store: WorkspaceStore, era: str) -> None:
    given = {"title": "Bread", "body": "Rye rests long.", "tags": ["#Baking"], "key": "k1"}
    made = [call(client, "notes_create", given, era)["structuredContent"] for _ in range(2)]
    assert made[0] == made[1] and made[0]["tags"] == ["baking"]
    note = store.notes.get(made[0]["noteId"])
    assert (note.body, note.kind.value) == ("Rye rests long.", "capture")
    assert call(client, "notes_create", {"body": "x"}, era)["structuredContent"] != made[0]


def test_tasks_are_listed_by_pages(client: FlaskClient) -> None:
    result = call(client, "tasks_list", {"done": False, "dueBefore": "2026-12-24"})
    assert result["structuredContent"] == {"tasks": []} and json.loads(result["content"][0]["text"]) == {"tasks": []}
    assert call(client, "tasks_list", {"cursor": "x"})["isError"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("notes_search", {}, "query: Field required"),
        ("notes_search", {"query": "x", "limit": 51}, "limit: "),
        ("notes_search", {"query": "x", "surprise": 1}, "surprise: "),
        ("notes_create", {"body": "x" * 200_001}, "body: "),
        ("memory_recall", {"query": "x" * 501}, "query: "),
        ("memory_recall", {"query": "x", "asOf": "yesterday"}, "asOf: must be a day"),
        ("memory_agent_run", {"agentId": "committer", "input": {"t": "x" * 32_000}}, "input: 32009 bytes"),
        ("memory_agent_run", {"agentId": "committer", "input": {}, "userId": "somebody"}, "forbidden: "),
        ("memory_agent_status", {"userId": "somebody"}, "leave userId out"),
        ("memory_job_retry", {"jobId": "j", "userId": "somebody"}, "forbidden: "),
        ("memory_job_retry", {"jobId": "a/b"}, "invalid_input: "),
        ("memory_provenance", {"recordId": "absent"}, "not_found: "),
        ("research_start", {}, "give a question, or the noteId"),
        ("research_start", {"question": "x", "noteId": "n"}, "give a question, or the noteId"),
    ],
)
def test_what_a_tool_refuses_is_said_to_the_model(
    client: FlaskClient, tool: str, arguments: dict[str, Any], said: str
) -> None:
    result = call(client, tool, arguments)
    assert result["isError"] and said in result["content"][0]["text"] and "structuredContent" not in result


def test_a_fault_of_ours_is_logged_and_not_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("shared.store.tasks.Tasks.list", broken)
    result = call(client, "tasks_list", {})
    assert result["isError"] and "secret" not in result["content"][0]["text"] and "secret" in caplog.text


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_every_tool_says_what_it_does_takes_and_gives(tool: Any) -> None:
    assert len(tool.description) > 40 and tool.title
    assert tool.input_schema["additionalProperties"] is False
    names = [*tool.input_schema["properties"], *tool.output_schema["properties"]]
    assert not [name for name in names if "_" in name]


def test_of_what_may_take_something_away_clients_are_told(client: FlaskClient) -> None:
    answer = client.post("/mcp", headers=HEADERS | ERAS["legacy"][0], json=LIST)
    destructive = {one["name"] for one in answer.json["result"]["tools"] if one["annotations"]["destructiveHint"]}
    assert destructive == {"memory_agent_run"}
