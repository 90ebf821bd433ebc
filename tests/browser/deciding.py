"""Answers of the API to a page about what waits for a word: the plan of a research run, and paused spending."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route

from shared.contracts.members import Role

PLAN = (
    "1. What lithium iron phosphate cells may be charged with between 0 and 12 °C, by their makers' sheets.\n"
    "2. What heating a battery in a garage takes, and when it pays.\n"
    "3. Whether charging at night keeps the cells warm enough: measurements, not opinions.\n\n"
    "Sources: data sheets, papers on ageing, field reports of the last five years."
)
OPERATION = "planned"


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
    def operation(self) -> dict[str, Any]:
        plan = {
            "text": self.text,
            "revision": self.revision,
            "edited_by_person": self.revision > 1,
            "proposed_at": "2026-11-30T21:40:00Z",
            "estimate_low_usd": 1.2,
            "estimate_high_usd": 3.4,
        }
        return {
            "id": OPERATION,
            "kind": "deep_research",
            "status": self.status,
            "title": "Battery in winter",
            "source_note_id": "absent",
            "document_id": None,
            "result_note_id": None,
            "interaction_id": None,
            "asked_by": "tag",
            "created_at": "2026-11-30T21:38:00Z",
            "updated_at": "2026-11-30T21:40:00Z",
            "finished_at": None,
            "error": None,
            "usage": {"input_tokens": 0, "output_tokens": 0, "searches": 0},
            "seq": 2,
            "plan": plan,
        }

    @property
    def spending(self) -> dict[str, Any]:
        still = {"paused": False, "by": None, "at": None, "reason": ""}
        stopped = {"paused": True, "by": "token-1a2b3c4d", "at": "2026-11-30T21:00:00Z", "reason": "The month is dear"}
        of = {scope: stopped if scope == self.paused else still for scope in ("workspace", "project")}
        return {"paused": bool(self.paused), **of}

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
                return self._fulfil(route, {"error": {"code": code, "message": message, "details": {}}}, status)
            return self._fulfil(route, self._changed(path, body))
        if path.endswith("/events"):
            return route.fulfill(status=200, body=": nothing new\n\n", headers=self._headers("text/event-stream"))
        if path == "operations" and given.get("status") != "awaiting_approval":
            return route.fallback()
        return self._fulfil(route, self._of(path))

    def _of(self, path: str) -> dict[str, Any]:
        if path == "operations":
            waiting = [self.operation] if self.status == "awaiting_approval" else []
            return {"operations": waiting, "next_cursor": None}
        if path == "spending":
            return self.spending
        if path == "me":
            return {"workspace": "demo", "role": self.role, "name": "token-1a2b3c4d", "expires_at": None}
        return {"operation": self.operation}

    def _changed(self, path: str, body: Any) -> dict[str, Any]:
        if path == "spending":
            self.paused = "workspace" if body["paused"] else ""
            return self.spending
        if path.endswith("/plan"):
            self.text, self.revision = body["text"], self.revision + 1
            return {"operation": self.operation}
        self.status = "cancelled" if path.endswith("/cancel") else "running"
        return {
            "operation": self.operation,
            "message": "It is cancelled." if self.status == "cancelled" else "It begins.",
        }

    def _fulfil(self, route: Route, answer: dict[str, Any], status: int = 200) -> None:
        route.fulfill(status=status, body=json.dumps(answer), headers=self._headers("application/json"))

    def _headers(self, kind: str) -> dict[str, str]:
        return {"Access-Control-Allow-Origin": self._origin, "Content-Type": kind}
