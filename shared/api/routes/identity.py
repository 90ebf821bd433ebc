"""The rows of who calls."""

from __future__ import annotations

from shared.api import me
from shared.api.route import Route
from shared.contracts.identity import MeAnswer

ROUTES: tuple[Route, ...] = (
    Route("GET", "/me", me.get_me, "Who the caller is: workspace, role, name.", answer=MeAnswer, operator=True),
)
