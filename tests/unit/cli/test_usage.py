"""`memex usage` against a scripted API."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

USAGE = "/api/v1/usage"
NONE = {"count": 0, "input_tokens": 0, "output_tokens": 0, "searches": 0, "usd": 0.0}
CHAT = {"count": 12, "input_tokens": 103_221, "output_tokens": 5_220, "searches": 0, "usd": 0.269082}
RESEARCH = {"count": 1, "input_tokens": 900_000, "output_tokens": 60_000, "searches": 40, "usd": 3.08}


def a_month(**fields: Any) -> dict[str, Any]:
    limited = {"used": 3.35, "reserved": 5.0, "limit": 10.0, "left": 1.65, "share": 0.835}
    unlimited = {"used": 4.0, "reserved": 0.0, "limit": None, "left": None, "share": None}
    return {
        "month": "2026-11\x1b[31m",
        "renews_at": "2026-12-01T00:00:00Z",
        "plan": "pro",
        "by_kind": {"chat": CHAT, "research": RESEARCH, "run": NONE},
        "totals": {"count": 13, "input_tokens": 1_003_221, "output_tokens": 65_220, "searches": 40, "usd": 3.349082},
        "states": {"runs": unlimited, "usd": limited},
        "warnings": ["84% of the month's 10.00 USD are used or set aside."],
        "prices_as_of": "2026-11-30",
        **fields,
    }


def test_a_month_is_shown_by_kind_with_a_bar_for_each_quota(run: Run, script: Script) -> None:
    script.on("GET", USAGE, Answer(a_month()))
    result = run("usage")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["chat", "12", "103,221", "5,220", "0", "0.2691"] in lines
    assert ["in", "all", "13", "1,003,221", "65,220", "40", "3.3491"] in lines
    assert ["USD", "████████▒▒▒▒▒▒▒▒▒▒▒▒░░░░", "84%", "3.35", "5.00", "1.65", "10.00"] in lines
    assert not any(line[:1] in (["run"], ["runs"]) for line in lines)
    assert "84% of the month's" in result.stderr and "\x1b" not in result.stdout


def test_a_month_without_work_and_quotas_is_shown_too(run: Run, script: Script) -> None:
    script.on("GET", USAGE, Answer(a_month(by_kind={"chat": NONE}, totals=NONE, states={}, warnings=[])))
    result = run("usage")
    assert result.exit_code == 0 and "in all" in result.stdout and "quota" not in result.stdout


def test_a_quota_of_nothing_is_used_up(run: Run, script: Script) -> None:
    nothing = {"used": 0, "reserved": 0, "limit": 0, "left": 0, "share": 1.0}
    script.on("GET", USAGE, Answer(a_month(states={"runs": nothing})))
    assert "█" * 24 + " 100%" in run("usage").stdout


def test_another_month_can_be_asked_for_as_json(run: Run, script: Script) -> None:
    script.on("GET", USAGE, Answer(a_month()))
    assert json.loads(run("usage", "--month", "2026-10", "--json").stdout) == a_month()
    assert script.seen[0].path == f"{USAGE}?month=2026-10"
