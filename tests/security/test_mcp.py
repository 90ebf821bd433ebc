"""The function mcp with every kind of credentials, and each of its tools with a role that is too low."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient

from shared.api.security import HEADERS
from shared.contracts.members import Role
from shared.mcp.catalogue import TOOLS
from shared.mcp.endpoint import respond
from tests.security import callers
from tests.security.callers import PEOPLE, app_with, entrance, in_firebase, person, static

HOST = "memex.example"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    app = app_with(entrance(), MCP_HOSTS=HOST)
    flask = Flask("mcp")

    def everything() -> Response:
        return respond(app, request)

    flask.add_url_rule("/mcp", "mcp", everything, methods=["GET", "POST"], provide_automatic_options=False)
    return flask.test_client()


def test_nobody_comes_in_without_good_credentials(client: FlaskClient) -> None:
    for name, refused in callers.strangers().items():
        answer = client.post("/mcp", headers=refused.headers, json={})
        assert answer.status_code == refused.status, name
        assert answer.json["error"]["data"]["code"] == refused.code
        assert not [one for one, value in HEADERS.items() if answer.headers.get(one) != value]


@pytest.mark.parametrize("kind", [static, person, in_firebase])
def test_members_come_in_and_the_operator_does_not(client: FlaskClient, kind: Any) -> None:
    for role in PEOPLE:
        assert client.get("/mcp", headers=kind(role)).status_code == 405, "it passes, and is told to POST"
    assert client.get("/mcp", headers=static(Role.OPERATOR)).status_code == 403


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.changes])
def test_a_reader_changes_nothing_by_a_tool(client: FlaskClient, name: str) -> None:
    headers = {
        "Host": HOST,
        "Accept": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    params = {"name": name, "arguments": {}, "_meta": META}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = client.post("/mcp", headers={**headers, **person(Role.READER)}, json=body)
    assert answer.status_code == 200, answer.text
    result = answer.json["result"]
    assert result["isError"] is True and result["content"][0]["text"].startswith("forbidden: ")


def test_what_changes_nothing_is_a_readers() -> None:
    assert {tool.role for tool in TOOLS.values() if not tool.changes} == {Role.READER}
    assert {tool.role for tool in TOOLS.values() if tool.changes} == {Role.MEMBER}
