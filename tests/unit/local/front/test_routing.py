"""Which path reaches what, and how a request arrives at a function."""

from __future__ import annotations

import pytest

from infra.local.front.app import Router
from infra.local.front.guard import Refused
from infra.local.functions.apps import read_manifest
from tests.support.waiting import wait_until
from tests.unit.local.front.conftest import ROOT, FrontUnderTest


@pytest.fixture
def router() -> Router:
    return Router(read_manifest(ROOT).functions)


@pytest.mark.parametrize(
    ("path", "function", "target"),
    [
        ("/probe", "probe", "/probe"),
        ("/probe/a?b=/c", "probe", "/probe/a?b=/c"),
        ("/probe/deep/er", "probe-deep", "/probe/deep/er"),
        ("/probe/deeper", "probe", "/probe/deeper"),
        ("/_functions/guarded", "guarded", "/"),
        ("/_functions/guarded?x=1", "guarded", "/?x=1"),
        ("/_functions/guarded/a%2Fb", "guarded", "/a%2Fb"),
    ],
)
def test_a_function_is_found_by_name_or_by_its_longest_route(
    router: Router, path: str, function: str, target: str
) -> None:
    found = router.find(path)
    assert found is not None
    assert (found.row.name, found.target) == (function, target)


@pytest.mark.parametrize("path", ["/", "/probes", "/v1/interactions", "/app.js"])
def test_other_paths_are_no_function(router: Router, path: str) -> None:
    assert router.find(path) is None


def test_an_unknown_function_is_refused(router: Router) -> None:
    with pytest.raises(Refused, match="no function 'nobody'"):
        router.find("/_functions/nobody/")


def test_method_path_query_headers_and_body_arrive_as_sent(front: FrontUnderTest) -> None:
    answer = front.http.patch("/probe/echo/a%20b?q=1&q=%2F", content=b"{}", headers={"X-Mine": "yes"}).json()
    assert answer["method"] == "PATCH"
    assert answer["path"] == "/probe/echo/a b?q=1&q=%2F"
    assert answer["body"] == "{}"
    assert answer["headers"]["X-Mine"] == "yes"
    assert answer["headers"]["Host"] == front.url.removeprefix("http://")
    assert answer["headers"]["X-Forwarded-For"] == "127.0.0.1"


def test_a_chunked_body_arrives_whole(front: FrontUnderTest) -> None:
    pieces = iter([b"a" * 70_000, b"b" * 70_000])
    assert len(front.http.post("/probe/echo", content=pieces).json()["body"]) == 140_000


def test_a_head_request_has_no_body(front: FrontUnderTest) -> None:
    answer = front.http.head("/probe/echo")
    assert (answer.status_code, answer.content) == (200, b"")


def test_the_status_of_a_failing_function_is_passed_on(front: FrontUnderTest) -> None:
    answer = front.http.get("/probe/crash")
    assert answer.status_code == 500
    assert answer.headers["X-Google-Status"] == "crash"


def test_every_call_is_counted_with_memory_and_cpu_in_steps_of_100_ms(unused_front: FrontUnderTest) -> None:
    unused_front.http.get("/probe/echo")
    wait_until(lambda: len(unused_front.seams.meter.totals()) == 3, what="the count")
    totals = {unit: amount for (_, unit), amount in unused_front.seams.meter.totals().items()}
    assert totals["invocations"] == 1
    assert totals["vcpu_seconds"] * 10 == pytest.approx(max(1, round(totals["vcpu_seconds"] * 10)))
    assert totals["gib_seconds"] == pytest.approx(totals["vcpu_seconds"] * 0.25)


def test_the_meter_hears_of_each_request_when_it_begins_and_when_it_has_ended(
    unused_front: FrontUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[object, ...]] = []

    def began(function: str, path: str) -> int:
        heard.append((function, path))
        return 7

    monkeypatch.setattr(unused_front.seams.meter, "began", began)
    monkeypatch.setattr(unused_front.seams.meter, "ended", lambda number, seconds: heard.append((number, seconds < 60)))
    unused_front.http.get("/probe/echo")
    wait_until(lambda: len(heard) == 2, what="both words")
    assert heard == [("probe", "/probe/probe/echo"), (7, True)]
