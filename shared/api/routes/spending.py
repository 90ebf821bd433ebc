"""The rows of the switch for spending."""

from __future__ import annotations

from shared.api import spending
from shared.api.route import Route
from shared.contracts.members import Role
from shared.contracts.spending import SpendingAnswer, SpendingChange

ROUTES: tuple[Route, ...] = (
    Route(
        "GET",
        "/spending",
        spending.get_spending,
        "Whether spending is paused, in the workspace and in all.",
        answer=SpendingAnswer,
        operator=True,
    ),
    Route(
        "PUT",
        "/spending",
        spending.put_spending,
        "Pause or resume all spending of the workspace; an operator's of the whole project.",
        answer=SpendingAnswer,
        body=SpendingChange,
        role=Role.OWNER,
        operator=True,
    ),
)
