"""The one route table, of the rows in routes/. Dispatch and the OpenAPI document are both made of it."""

from __future__ import annotations

from shared.api.route import Route
from shared.api.routes import (
    brain,
    chat,
    documents,
    identity,
    notes,
    operations,
    portability,
    runs,
    spending,
    tasks,
    workspaces,
)

PREFIX = ("api", "v1")
OPENAPI = "openapi.json"

ROUTES: tuple[Route, ...] = (
    *notes.ROUTES,
    *operations.ROUTES,
    *chat.ROUTES,
    *documents.ROUTES,
    *tasks.ROUTES,
    *runs.ROUTES,
    *brain.ROUTES,
    *identity.ROUTES,
    *portability.ROUTES,
    *workspaces.ROUTES,
    *spending.ROUTES,
)
