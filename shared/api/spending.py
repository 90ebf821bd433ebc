"""The handlers of the switch that pauses all spending."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.request import body
from shared.api.route import Call
from shared.contracts.spending import SpendingAnswer, SpendingChange, SpendingSwitch
from shared.store.spending import Switches
from shared.usage.pause import WITHIN_SECONDS


def get_spending(call: Call) -> Response:
    return _answer(call, call.app.pause.state(call.principal.workspace))


def put_spending(call: Call) -> Response:
    """In the caller's workspace; an operator, who is in none, switches the whole project."""
    wanted = body(call.request, SpendingChange)
    switch = SpendingSwitch(paused=wanted.paused, by=call.principal.name, at=call.app.clock.now(), reason=wanted.reason)
    return _answer(call, call.app.pause.switch(call.principal.workspace, switch))


def _answer(call: Call, found: Switches) -> Response:
    own = found.own if call.principal.workspace else None
    return answers.model(
        SpendingAnswer(paused=found.paused, workspace=own, project=found.project, within_seconds=WITHIN_SECONDS)
    )
