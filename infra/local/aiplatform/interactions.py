"""The interactions API over HTTP: create, get, stream, cancel, delete."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from infra.local.aiplatform.connection import cut
from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.model_run import plan_model
from infra.local.aiplatform.prompt import text_of
from infra.local.aiplatform.research import Task, plan_research
from infra.local.aiplatform.routing import both, on_vertex
from infra.local.aiplatform.runs import Runs
from infra.local.aiplatform.script import HttpFailure
from infra.local.aiplatform.script_queue import ScriptQueue, Taken
from infra.local.aiplatform.scripted import plan_scripted
from infra.local.aiplatform.streams import event_stream, hanging_stream
from infra.local.aiplatform.validation import check_create

_CHAIN = 50


class Interactions:
    """Handlers of the interactions paths; `run_seconds` is how long the research agent takes."""

    def __init__(self, runs: Runs, scripts: ScriptQueue, run_seconds: float) -> None:
        self._runs, self._scripts, self._run_seconds = runs, scripts, run_seconds

    def register(self, blueprint: Blueprint) -> None:
        both(blueprint, "/interactions", self.create, "POST")
        both(blueprint, "/interactions/<path:identity>", self.get, "GET")
        both(blueprint, "/interactions/<path:identity>", self.delete, "DELETE")
        both(blueprint, "/interactions/<path:identity>/cancel", self.cancel, "POST")

    def create(self) -> Response:
        g.verb, g.interaction = "create", ""
        body = check_create(json_body(), vertex=on_vertex())
        earlier = self._earlier(body.get("previous_interaction_id"))
        if "model" in body:
            return self._answer(self._runs.accept(body, plan_model(body, earlier, self._run_seconds)).id)
        task = Task(body, self._run_seconds, earlier)
        taken = self._scripts.take()
        if taken is None:
            return self._answer(self._runs.accept(body, plan_research(task)).id)
        return self._scripted(taken, task)

    def get(self, identity: str) -> Response:
        streamed = request.args.get("stream", "false").lower() == "true"
        g.verb, g.interaction = "stream" if streamed else "get", identity
        failure = self._scripts.failure(identity, "get_failures")
        if failure:
            return _fail(failure)
        if streamed:
            return event_stream(self._runs, identity, request.args.get("last_event_id"))
        record, elapsed = self._runs.look(identity)
        answer = record.resource(elapsed, with_input=True)
        if request.args.get("include_input", "false").lower() == "true":
            answer["input"] = record.body.get("input")
        return jsonify(answer)

    def cancel(self, identity: str) -> Response:
        g.verb, g.interaction = "cancel", identity
        failure = self._scripts.failure(identity, "cancel_failures")
        if failure:
            return _fail(failure)
        record, elapsed = self._runs.cancel(identity)
        return jsonify(record.resource(elapsed))

    def delete(self, identity: str) -> Response:
        g.verb, g.interaction = "delete", identity
        self._runs.delete(identity)
        return jsonify({})

    def _scripted(self, taken: Taken, task: Task) -> Response:
        if taken.failure:
            return _fail(taken.failure)
        record = self._runs.accept(task.body, plan_scripted(taken.script, task, request.host_url.rstrip("/")))
        self._scripts.bind(taken.number, record.id)
        g.interaction = record.id
        if taken.script.create_answer == "lost":
            return cut(request.environ)
        if taken.script.create_answer == "hang":
            return hanging_stream(self._runs)
        return self._answer(record.id, as_json=taken.script.create_answer == "plain_json")

    def _answer(self, identity: str, *, as_json: bool = False) -> Response:
        g.interaction = identity
        record, elapsed = self._runs.look(identity)
        if record.body.get("stream") and not as_json:
            return event_stream(self._runs, identity, None)
        return jsonify(record.resource(elapsed))

    def _earlier(self, previous: Any) -> str:
        """The inputs of the interactions that this one follows on, the newest first; those forgotten are left out."""
        if not previous:
            return ""
        record, elapsed = self._runs.look(str(previous))
        status = record.status(elapsed)
        if status != "completed":
            raise invalid(f"The previous interaction is {status}, not completed.", "previous_interaction_id")
        texts = [text_of(record.body.get("input"))]
        for _ in range(_CHAIN):
            before = record.body.get("previous_interaction_id")
            try:
                record, _ = self._runs.look(str(before or ""))
            except ApiError:
                break
            texts.append(text_of(record.body.get("input")))
        return "\n".join(texts)


def _fail(failure: HttpFailure) -> Response:
    if failure.status == 0:
        return cut(request.environ)
    raise ApiError(failure.status, failure.message, retry_after=failure.retry_after)
