"""Answers that come in pieces, clients that go, functions that take too long."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.support.waiting import wait_until
from tests.unit.local.front.conftest import FrontUnderTest


def test_a_piece_arrives_before_the_next_is_made(front: FrontUnderTest, tmp_path: Path) -> None:
    query = {"until": str(tmp_path / "go"), "gone": str(tmp_path / "gone")}
    with front.http.stream("GET", "/probe/stream", params=query) as answer:
        pieces = answer.iter_text()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert next(pieces).startswith("data: 1")
        (tmp_path / "go").touch()
        assert "data: 2" in "".join(pieces)
    assert not (tmp_path / "gone").exists()


def test_a_function_learns_that_its_client_has_gone(front: FrontUnderTest, tmp_path: Path) -> None:
    query = {"until": str(tmp_path / "go"), "gone": str(tmp_path / "gone")}
    with front.http.stream("GET", "/probe/stream", params=query) as answer:
        next(answer.iter_text())
    wait_until((tmp_path / "gone").exists, what="the end of the stream")


def test_a_function_that_takes_too_long_is_504_and_goes_on(front: FrontUnderTest, tmp_path: Path) -> None:
    answer = front.http.get("/probe/hang", params={"until": str(tmp_path / "go")})
    assert answer.status_code == 504
    (tmp_path / "go").touch()


def test_a_stream_that_outlasts_the_functions_time_is_cut_off(front: FrontUnderTest, tmp_path: Path) -> None:
    query = {"until": str(tmp_path / "go"), "gone": str(tmp_path / "gone")}
    with (
        pytest.raises(httpx.RemoteProtocolError),
        front.http.stream("GET", "/probe/stream", params=query) as answer,
    ):
        for _ in answer.iter_text():
            continue
    wait_until((tmp_path / "gone").exists, what="the end of the stream")


def test_beyond_its_concurrency_a_function_is_429(front: FrontUnderTest, tmp_path: Path) -> None:
    query = {"until": str(tmp_path / "go"), "gone": str(tmp_path / "gone")}
    with (
        front.http.stream("GET", "/probe/stream", params=query) as one,
        front.http.stream("GET", "/probe/stream", params=query) as two,
        front.http.stream("GET", "/probe/stream", params=query) as three,
    ):
        assert {answer.status_code for answer in (one, two, three)} == {200}
        assert front.http.get("/probe/echo").status_code == 429
        (tmp_path / "go").touch()
    wait_until(lambda: front.http.get("/probe/echo").status_code == 200, what="a free place")
