"""What a page of another site can make this browser do here: nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.local.console.conftest import Desk

CHANGES = [
    ("POST", "firestore", {"path": "a/b", "fields": {}}),
    ("PUT", "firestore", {"path": "a/b", "fields": {}, "update_time": "2026-01-01T00:00:00Z"}),
    ("DELETE", "firestore", {"path": "a/b", "update_time": "2026-01-01T00:00:00Z"}),
    ("POST", "publish", {"topic": "projects/memex-local/topics/things", "data": "x"}),
    ("POST", "executions/w/e/cancel", {}),
    ("POST", "deliveries/1/now", {}),
    ("POST", "scheduler/tick/run", {}),
    ("POST", "faults", {"kind": "outage", "service": "pubsub", "seconds": 60}),
    ("POST", "bill/reset", {}),
    ("POST", "reset", {"parts": ["all"]}),
]


def untouched(desk: Desk) -> bool:
    return (
        desk.get("firestore", path="")["collections"] == ["kept"]
        and desk.get("scheduler")["jobs"][0]["last"] is None
        and desk.get("faults") == {"outages": {}, "lost_answers": {}, "events": []}
        and desk.get("bill")["rows"] != []
        and set(desk.get("topics")["backlog"].values()) <= {0}
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": ""},
    ],
)
def test_no_change_is_made_for_another_site(shared: Desk, headers: dict[str, str]) -> None:
    shared.http.post("/_cloud/firestore", json={"path": "kept/1", "fields": {}})  # there already, or made now
    for method, path, content in CHANGES:
        answer = shared.http.request(method, f"/_cloud/{path}", json=content, headers=headers)
        assert answer.status_code in (403, 415), (path, answer.text)
    assert untouched(shared)


@pytest.mark.parametrize("own", [True, False])
def test_this_page_and_scripts_may(desk: Desk, own: bool) -> None:
    origin = str(desk.http.base_url).rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"} if own else {}
    answer = desk.http.post("/_cloud/firestore", json={"path": "a/b", "fields": {}}, headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize("path", ["", "page/main.js", "firestore", "absent", "page/../app.py", "page/%2e%2e/app.py"])
def test_every_answer_has_the_policy_and_none_is_shared(shared: Desk, path: str) -> None:
    answer = shared.http.get(f"/_cloud/{path}".rstrip("/"))
    if answer.status_code != 404:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "dataclass" not in answer.text


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"a":1,"a":2}'])
def test_what_is_no_json_object_is_400(shared: Desk, text: str) -> None:
    headers: Any = {"Content-Type": "application/json"}
    for method, path, _ in CHANGES[:4]:
        answer = shared.http.request(method, f"/_cloud/{path}", content=text, headers=headers)
        assert answer.status_code == 400
        assert answer.json()["error"]["message"]
