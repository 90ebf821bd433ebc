"""The page's files, and the faults at /_cloud."""

from __future__ import annotations

import pytest

from infra.local.front.pages import headers_of
from tests.unit.local.front.conftest import FrontUnderTest


def test_the_root_is_the_index_with_a_policy(front: FrontUnderTest) -> None:
    answer = front.http.get("/")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'; script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_module_is_javascript_and_is_revalidated_by_its_tag(front: FrontUnderTest) -> None:
    first = front.http.get("/app.js")
    assert first.headers["Content-Type"] == "text/javascript; charset=utf-8"
    again = front.http.get("/app.js", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_files_are_compressed_for_who_takes_that(front: FrontUnderTest) -> None:
    plain = front.http.get("/app.js", headers={"Accept-Encoding": "identity"})
    small = front.http.get("/app.js", headers={"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip" and small.text == plain.text
    assert small.headers["Vary"] == "Accept-Encoding" and "Content-Encoding" not in plain.headers


def test_what_the_share_menu_opens_is_the_page(front: FrontUnderTest) -> None:
    assert front.http.get("/capture?url=x").text == front.http.get("/").text


def test_the_local_page_is_told_that_the_api_is_where_it_came_from(front: FrontUnderTest) -> None:
    answer = front.http.get("/memex.json")
    assert (answer.status_code, answer.json()) == (200, {})


def test_the_policy_names_the_origins_of_the_api() -> None:
    assert "connect-src 'self' https://api.example;" in headers_of(["https://api.example"])["Content-Security-Policy"]
    assert "connect-src 'self';" in headers_of()["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/README.md", "/absent.js", "/../front/conftest.py", "/%2e%2e/infra/firestore.indexes.json"]
)
def test_nothing_else_is_served(front: FrontUnderTest, path: str) -> None:
    assert front.http.get(path).status_code == 404


def test_faults_are_asked_for_listed_and_cleared(front: FrontUnderTest) -> None:
    wish = {"kind": "outage", "service": "functions", "seconds": 60}
    assert front.http.post("/_cloud/faults", json=wish).status_code == 200
    assert front.http.get("/_cloud/faults").json()["outages"]["functions"] > 50
    assert front.http.get("/probe/echo").status_code == 503
    front.http.post("/_cloud/faults", json={"kind": "clear"})
    assert front.http.get("/probe/echo").status_code == 200


@pytest.mark.parametrize(
    "wish", [{"kind": "no such"}, {"kind": "outage"}, {"kind": "outage", "service": "x", "seconds": 1}, 5]
)
def test_a_fault_there_is_not_is_400_with_what_there_is(front: FrontUnderTest, wish: object) -> None:
    answer = front.http.post("/_cloud/faults", json=wish)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
