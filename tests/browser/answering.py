"""Answers of the API for the brain, to a page: each change that is asked for is done, and kept to be looked at."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route
from pydantic import BaseModel

from shared.contracts import brain_api
from shared.contracts.jobs import JobStatus
from shared.contracts.memory import Contradiction, Node, Record, RecordStatus
from tests.browser.remembered import AGENTS, CONTRADICTION, EDGES, FOCUS, JOBS, NODES, RECORDS, REFUSED, why


class Brain:
    """Answers for the brain, and the changes that were asked for: (method, path, body)."""

    def __init__(self, page: Page, origin: str) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.queries: list[dict[str, str]] = []
        self.records = dict(RECORDS)
        self.jobs = dict(JOBS)
        self.open = [CONTRADICTION]
        self.refused = [REFUSED]
        self.nodes: tuple[Node, ...] = NODES
        self.origin = origin
        page.route("**/api/v1/brain/**", self._answer)

    def _answer(self, route: Route) -> None:
        request = route.request
        parts = urlsplit(request.url)
        path = parts.path.partition("/brain/")[2].split("/")
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        body = json.loads(request.post_data) if request.post_data else None
        if request.method != "GET":
            self.asked.append((request.method, "/".join(path), body))
        else:
            self.queries.append({"path": "/".join(path)} | given)
        answer = self._of(path, given, body) if request.method == "GET" else self._change(path, body)
        headers = {"Access-Control-Allow-Origin": self.origin}
        route.fulfill(status=200, body=answer.model_dump_json(), content_type="application/json", headers=headers)

    def _of(self, path: list[str], given: dict[str, str], body: Any) -> BaseModel:
        match path:
            case ["agents"]:
                counts = {name: sum(getattr(one, name) for one in AGENTS) for name in brain_api.JobCounts.model_fields}
                return brain_api.AgentsAnswer(agents=AGENTS, jobs=brain_api.JobCounts(**counts))
            case ["jobs"]:
                fits = [one for one in self.jobs.values() if given.get("status", one.status) == one.status]
                return brain_api.JobsAnswer(jobs=tuple(one for one in fits if given.get("kind", one.kind) == one.kind))
            case ["records", record_id, "why"]:
                return why(record_id).model_copy(update={"record": self.records[record_id]})
            case ["records"]:
                return brain_api.RecordsAnswer(records=tuple(self._recalled(given)))
            case ["blackboard"]:
                return brain_api.BlackboardAnswer(items=tuple(self.refused))
            case ["contradictions"]:
                views = (brain_api.ContradictionView(**dict(one), records=self._pair(one)) for one in self.open)
                return brain_api.ContradictionsAnswer(contradictions=tuple(views))
            case ["graph"]:
                return brain_api.GraphAnswer(nodes=self.nodes, edges=EDGES if self.nodes else ())
            case _:
                return FOCUS

    def _pair(self, one: Contradiction) -> tuple[Record, ...]:
        return tuple(self.records[record_id] for record_id in one.record_ids)

    def _recalled(self, given: dict[str, str]) -> Iterable[brain_api.RecordView]:
        words = given.get("q", "").lower().split()
        for one in self.records.values():
            matched = tuple(word for word in words if word in one.text.lower())
            wanted = given.get("status", one.status) == one.status and given.get("type", one.type) == one.type
            if (
                not wanted
                or (one.status == RecordStatus.RETRACTED and "status" not in given)
                or (words and not matched)
            ):
                continue
            note = "It names the person you ask about." if matched else ""
            yield brain_api.RecordView(**dict(one), matched=matched, annotation=note)

    def _change(self, path: list[str], body: Any) -> BaseModel:
        match path:
            case ["records", record_id, *rest]:
                retracted = {"status": RecordStatus.RETRACTED if rest == ["retract"] else RecordStatus.CURRENT}
                self.records[record_id] = self.records[record_id].model_copy(update=body or retracted)
                return brain_api.RecordAnswer(record=self.records[record_id])
            case ["contradictions", contradiction_id, "settle"]:
                settled = next(one for one in self.open if one.id == contradiction_id)
                self.open = [one for one in self.open if one.id != contradiction_id]
                return brain_api.ContradictionAnswer(contradiction=brain_api.ContradictionView(**dict(settled)))
            case ["jobs", job_id, verb]:
                status = JobStatus.CANCELLED if verb == "cancel" else JobStatus.PENDING
                self.jobs[job_id] = self.jobs[job_id].model_copy(update={"status": status})
                words = "Cancelled." if verb == "cancel" else "It is due now."
                return brain_api.JobChangeAnswer(job=self.jobs[job_id], changed=True, message=words)
            case _:
                raise AssertionError(path)
