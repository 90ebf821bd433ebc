"""How a run is shown while it goes on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from rich.console import Console

from infra.cli.run_progress import RunProgress
from tests.support.seams import FakeClock

CLOCK = FakeClock()


def frame(kind: str, seconds: float = 1.0, **data: Any) -> dict[str, Any]:
    at = (CLOCK.now() + timedelta(seconds=seconds)).isoformat()
    return {"type": kind, "at": at, "data": {"step_id": None, "title": "A goal", "status": "running", **data}}


def told(progress: RunProgress) -> None:
    steps = [{"step_id": f"s{n}", "title": f"Step {n}", "index": n, "status": "pending"} for n in (1, 2)]
    progress.show(frame("plan_ready", 1.0, steps=steps))
    progress.show(frame("step_started", 1.5, step_id="s1", title="Step 1"))
    progress.show(frame("step_completed", 2.0, step_id="s1", title="Step 1", status="succeeded", summary="Found it."))
    progress.show(frame("step_failed", 2.5, step_id="s2", title="Step 2", status="failed", message="Away.\x1b[31m"))
    progress.show(frame("answer_text", 3.0, step_id="s3", text="0123456789"))
    progress.show(frame("citation", 3.0, step_id="s3", n=1))


def test_elsewhere_than_on_a_terminal_each_frame_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress("A goal", CLOCK, CLOCK.now().isoformat()) as progress:
        told(progress)
        progress.show(frame("run_completed", 4.0, status="failed", stop_reason="error", error={"message": "No."}))
        progress.away()
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "   1.0 s  plan: Step 1; Step 2",
        "   1.5 s  ◌ step started: Step 1",
        "   2.0 s  ✓ step completed: Step 1: Found it.",
        "   2.5 s  ✗ step failed: Step 2: Away.\\x1b[31m",
        "   4.0 s  failed (error): No.",
        "  waiting for Memex",
    ]


def drawn(progress: RunProgress) -> str:
    with open("/dev/null", "w") as nowhere:
        console = Console(width=80, record=True, no_color=True, file=nowhere)
        console.print(progress._drawn())
    return console.export_text()


def test_on_a_terminal_the_plan_is_a_checklist_that_fills() -> None:
    progress = RunProgress("A goal", CLOCK, CLOCK.now().isoformat())
    told(progress)
    text = drawn(progress)
    assert "✓ Step 1" in text and "✗ Step 2 — Away." in text and "\x1b[31m" not in text
    assert "10 characters written, 1 sources" in text


def test_at_the_end_the_clock_stands_still_and_nothing_is_under_way() -> None:
    clock = FakeClock()
    progress = RunProgress("A goal", clock, clock.now().isoformat())
    steps = [{"step_id": f"s{n}", "title": f"Step {n}", "index": n, "status": "pending"} for n in (1, 2)]
    progress.show(frame("plan_ready", 1.0, steps=steps))
    progress.show(frame("step_started", 1.5, step_id="s1", title="Step 1"))
    progress.show(frame("run_completed", 4.0, status="cancelled", stop_reason="cancelled"))
    clock.sleep(3_600)
    text = drawn(progress)
    assert "cancelled  0:04" in text and "– Step 1" in text and "– Step 2" in text
