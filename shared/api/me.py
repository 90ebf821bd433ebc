"""The handler that tells callers who they are."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.identity import MeAnswer


def get_me(call: Call) -> Response:
    caller = call.principal
    return answers.model(
        MeAnswer(workspace=caller.workspace, role=caller.role, name=caller.name, expires_at=caller.expires_at)
    )
