"""Faults and the bill."""

from __future__ import annotations

import pytest

from tests.unit.local.console.conftest import Desk

EXAMPLES = {"service": "pubsub", "seconds": 60, "method": "Commit", "times": 2, "copies": 1, "function": "*"}


def test_every_kind_of_fault_can_be_asked_for_as_its_form_says(shared: Desk) -> None:
    kinds = shared.get("faults/kinds")
    assert {"outage", "lost_answer", "duplicate_events", "delay_events", "drop_events", "clear"} <= set(kinds)
    assert kinds["outage"]["arguments"][0]["choices"] == ["firestore", "pubsub", "workflows", "aiplatform", "functions"]
    for kind, form in kinds.items():
        wish = {one["name"]: EXAMPLES[one["name"]] for one in form["arguments"] if one["required"]}
        answer = shared.send("POST", "faults", {"kind": kind, **wish})
        assert answer.status_code == 200, answer.text
        assert form["about"]


def test_active_faults_are_listed_with_what_is_left_until_they_are_cleared(desk: Desk) -> None:
    desk.send("POST", "faults", {"kind": "outage", "service": "workflows", "seconds": 60})
    desk.send("POST", "faults", {"kind": "lost_answer", "method": "Commit", "times": 3})
    active = desk.get("faults")
    assert 50 < active["outages"]["workflows"] <= 60
    assert active["lost_answers"] == {"Commit": 3}
    assert desk.send("POST", "faults", {"kind": "clear"}).json() == {"outages": {}, "lost_answers": {}, "events": []}


def test_a_fault_there_is_not_is_refused_with_what_there_is(shared: Desk) -> None:
    answer = shared.send("POST", "faults", {"kind": "fire"})
    assert answer.status_code == 400
    assert "outage" in answer.json()["error"]["message"]


def test_the_bill_adds_up_and_its_counts_can_be_reset(desk: Desk) -> None:
    desk.write("things/1", a=1)
    bill = desk.get("bill")
    assert bill["total_usd"] == pytest.approx(sum(bill["services"].values()))
    assert bill["total_usd"] > 0
    assert desk.send("POST", "bill/reset").json()["rows"] == []
    assert desk.get("bill")["total_usd"] == 0
    assert desk.cloud.bill().rows == ()
