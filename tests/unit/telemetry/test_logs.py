"""A line of the log is JSON that Cloud Logging understands: what happened, in whose work, in which trace."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from shared import redaction
from shared.telemetry.context import carried, learn, working
from shared.telemetry.logs import JsonFormatter, to_json
from shared.telemetry.serving import serving

PARENT = f"00-{'a' * 32}-{'b' * 16}-01"
log = logging.getLogger("shared.somewhere")


class Lines:
    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    @property
    def last(self) -> dict[str, Any]:
        return self.all[-1]


@pytest.fixture
def lines() -> Iterator[Lines]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    found = Lines()
    to_json("my-project", found.stream)
    yield found
    root.handlers[:], root.level = before, level


def test_a_line_has_severity_message_and_time(lines: Lines) -> None:
    log.warning("it was %s", "late")
    assert lines.last["severity"] == "WARNING" and lines.last["message"] == "it was late"
    assert lines.last["time"].endswith("Z") and lines.last["logger"] == "shared.somewhere"


def test_what_is_worked_on_is_in_every_line_until_it_ends(lines: Lines) -> None:
    with serving("research", {}), working(workspace="demo"):
        learn(operation_id="op_1", step=None, attempt=2, execution="")
        log.info("within")
    log.info("after")
    within, after = lines.all
    assert (within["function"], within["workspace"], within["operation_id"]) == ("research", "demo", "op_1")
    assert within["attempt"] == "2" and not {"step", "execution"} & within.keys()
    assert not {"function", "workspace", "operation_id"} & after.keys()


def test_a_thread_says_what_its_parent_worked_on(lines: Lines) -> None:
    with working(run_id="run_1"):
        task = carried(lambda: log.info("beside"))
    task()
    assert lines.last["run_id"] == "run_1"


@pytest.mark.parametrize(
    "headers", [{"traceparent": PARENT}, {"X-Cloud-Trace-Context": f"{'a' * 32}/{int('b' * 16, 16)};o=1"}]
)
def test_a_line_belongs_to_the_trace_of_its_request(lines: Lines, headers: dict[str, str]) -> None:
    with serving("api", headers):
        log.info("within")
    assert lines.last["logging.googleapis.com/trace"] == f"projects/my-project/traces/{'a' * 32}"
    assert lines.last["logging.googleapis.com/spanId"] == "b" * 16


@pytest.mark.parametrize("sent", ["", "x", f"00-{'A' * 32}-{'b' * 16}-01", f"{PARENT}\n", "00--"])
def test_a_header_that_is_none_is_no_trace(lines: Lines, sent: str) -> None:
    with serving("api", {"traceparent": sent}):
        log.info("within")
    assert "logging.googleapis.com/trace" not in lines.last


def test_a_traceback_is_in_the_message_and_a_secret_is_not(lines: Lines) -> None:
    redaction.learn(["planted-secret-0001"])
    try:
        raise ValueError("the service said planted-secret-0001")
    except ValueError:
        log.exception("it failed with %s", "planted-secret-0001")
    assert "Traceback" in lines.last["message"] and "ValueError" in lines.last["message"]
    assert "planted-secret" not in lines.stream.getvalue()


def test_half_a_character_costs_no_line() -> None:
    said = logging.LogRecord("x", logging.WARNING, "x.py", 1, "the service says: %s", ("half \ud800 of it",), None)
    line = JsonFormatter("p").format(said)
    assert json.loads(line.encode())["message"] == "the service says: half ? of it"


def test_a_line_is_one_line_whatever_it_quotes(lines: Lines) -> None:
    log.info("%s", 'two\nlines and a "quote"')
    assert len(lines.stream.getvalue().splitlines()) == 1 and "two\nlines" in lines.last["message"]
