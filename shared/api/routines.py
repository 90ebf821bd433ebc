"""The handler of routines."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.routines import RoutineKind
from shared.errors import InputError


def run_routine(call: Call) -> Response:
    kind = call.ids["kind"]
    if kind not in set(RoutineKind):
        raise InputError(f"kind: one of {', '.join(RoutineKind)}", field="kind")
    return answers.model(call.app.routines.run(call.principal.workspace, RoutineKind(kind)))
