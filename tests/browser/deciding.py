"""Answers of the API to a page about what waits for a word: the plan of a research run, and paused spending."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route
from pydantic import BaseModel

from shared.contracts.errors import ErrorAnswer, ErrorDetail
from shared.contracts.identity import MeAnswer
from shared.contracts.members import Role
from shared.contracts.operations import (
    CancelAnswer,
    Operation,
    OperationAnswer,
    OperationsAnswer,
    OperationStatus,
    PlanAnswer,
)
from shared.contracts.plans import ResearchPlan
from shared.contracts.spending import SpendingAnswer, SpendingSwitch

PLAN = (
    "1. What lithium iron phosphate cells may be charged with between 0 and 12 °C, by their makers' sheets.\n"
    "2. What heating a battery in a garage takes, and when it pays.\n"
    "3. Whether charging at night keeps the cells warm enough: measurements, not opinions.\n\n"
    "Sources: data sheets, papers on ageing, field reports of the last five years."
)
OPERATION = "planned"
PROPOSED = datetime(2026, 11, 30, 21, 40, tzinfo=timezone.utc)


class Deciding:
    """A run whose plan waits, in a workspace where one is `role`; `asked` has the changes: (method, path, body)."""

    def __init__(self, page: Page, origin: str, *, role: Role = Role.OWNER, paused: str = "") -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.status, self.text, self.revision = "awaiting_approval", PLAN, 1
        self.refusal: tuple[int, str, str] | None = None
        self.paused = paused
        self._origin, self.role = origin, role
        for path in ("operations**", f"operations/{OPERATION}**", "spending", "me"):
            page.route(f"**/api/v1/{path}", self._answer)

    @property
    def operation(self) -> Operation:
        plan = ResearchPlan(
            text=self.text,
            revision=self.revision,
            edited_by_person=self.revision > 1,
            proposed_at=PROPOSED,
            expires_at=PROPOSED + timedelta(days=7),
            estimate_low_usd=1.2,
            estimate_high_usd=3.4,
            estimate_low_minutes=5,
            estimate_high_minutes=20,
            estimate_basis="From the last runs here.",
            planning_usd=0.04,
        )
        return Operation(
            id=OPERATION,
            status=OperationStatus(self.status),
            created_at=PROPOSED - timedelta(minutes=2),
            updated_at=PROPOSED,
            title="Battery in winter",
            source_note_id="absent",
            seq=2,
            plan_first=True,
            plan=plan,
        )

    @property
    def spending(self) -> SpendingAnswer:
        stopped = SpendingSwitch(paused=True, by="token-1a2b3c4d", at=PROPOSED, reason="The month is dear")
        of = {scope: stopped if scope == self.paused else SpendingSwitch() for scope in ("workspace", "project")}
        return SpendingAnswer(paused=bool(self.paused), within_seconds=5.0, **of)

    def _answer(self, route: Route) -> None:
        request = route.request
        parts = urlsplit(request.url)
        path = parts.path.partition("/api/v1/")[2]
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        body = json.loads(request.post_data) if request.post_data else None
        if request.method != "GET":
            self.asked.append((request.method, path, body))
            if self.refusal:
                status, code, message = self.refusal
                return self._fulfil(route, ErrorAnswer(error=ErrorDetail(code=code, message=message)), status)
            return self._fulfil(route, self._changed(path, body))
        if path.endswith("/events"):
            return route.fulfill(status=200, body=": nothing new\n\n", headers=self._headers("text/event-stream"))
        if path == "operations" and given.get("status") != "awaiting_approval":
            return route.fallback()
        return self._fulfil(route, self._of(path))

    def _of(self, path: str) -> BaseModel:
        if path == "operations":
            return OperationsAnswer(operations=(self.operation,) if self.status == "awaiting_approval" else ())
        if path == "spending":
            return self.spending
        if path == "me":
            return MeAnswer(workspace="demo", role=self.role, name="token-1a2b3c4d", expires_at=None)
        return OperationAnswer(operation=self.operation)

    def _changed(self, path: str, body: Any) -> BaseModel:
        if path == "spending":
            self.paused = "workspace" if body["paused"] else ""
            return self.spending
        if path.endswith("/plan"):
            self.text, self.revision = body["text"], self.revision + 1
            return OperationAnswer(operation=self.operation)
        if path.endswith("/cancel"):
            self.status = "cancelled"
            return CancelAnswer(operation=self.operation, cancelled=True, message="It is cancelled.")
        self.status = "running"
        return PlanAnswer(operation=self.operation, message="It begins.")

    def _fulfil(self, route: Route, answer: BaseModel, status: int = 200) -> None:
        route.fulfill(status=status, body=answer.model_dump_json(), headers=self._headers("application/json"))

    def _headers(self, kind: str) -> dict[str, str]:
        return {"Access-Control-Allow-Origin": self._origin, "Content-Type": kind}
