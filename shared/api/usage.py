"""The handler of usage."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.usage.reporting import report


def get_usage(call: Call) -> Response:
    allowance = call.app.spending.allowance(call.principal.workspace)
    return answers.model(report(call.store, allowance, call.app.clock.now(), **call.query))
