"""REST: workflowexecutions v1 and the reading half of workflows v1, as gcloud and plain HTTP clients speak it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from flask import Blueprint, Response, jsonify, request
from google.protobuf import json_format

from infra.local.clock import Clock
from infra.local.rpc import RpcError
from infra.local.workflows.api import Api, Listing, invalid
from infra.local.workflows.resources import ExecutionMessage
from infra.local.workflows.stdlib.encoding import rfc3339
from infra.local.workflows.values import from_json

_CODES = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.UNIMPLEMENTED: 501,
}
_LOCATION = "/v1/projects/<project>/locations/<location>"
_WORKFLOW = f"{_LOCATION}/workflows/<workflow>"
_EXECUTION = f"{_WORKFLOW}/executions/<execution>"
_METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
# Only REST has these; gRPC's Execution does not, so they are taken and not kept.
_REST_ONLY = ("executionHistoryLevel", "disableConcurrencyQuotaOverflowBuffering")

Answer = dict[str, Any]


def blueprint(api: Api, clock: Clock) -> Blueprint:
    """The routes, for the one HTTP front to register."""
    face, made = _Face(api, clock), Blueprint("workflows", __name__)
    made.register_error_handler(RpcError, _error)
    routes: list[tuple[str, str, Callable[..., Any]]] = [
        (f"{_WORKFLOW}/executions", "POST", face.create),
        (f"{_WORKFLOW}/executions", "GET", face.executions),
        (_EXECUTION, "GET", face.execution),
        (f"{_EXECUTION}:cancel", "POST", face.cancel),
        (f"{_EXECUTION}/callbacks", "GET", face.callbacks),
        (f"{_EXECUTION}/stepEntries", "GET", face.step_entries),
        (f"{_LOCATION}/workflows", "GET", face.workflows),
        (_WORKFLOW, "GET", face.workflow),
    ]
    for rule, method, view in routes:
        made.add_url_rule(rule, f"{method}_{view.__name__}", view, methods=[method])
    made.add_url_rule(f"{_EXECUTION}/callbacks/<callback>", "callback", face.callback, methods=_METHODS)
    for rule, method in _refused():
        made.add_url_rule(rule, f"refused_{method}_{rule}".replace(".", "_"), _refuse, methods=[method])
    return made


def _refused() -> list[tuple[str, str]]:
    """What the services also have, and the local cloud has not."""
    return [
        (f"{_LOCATION}/workflows", "POST"),
        (_WORKFLOW, "PATCH"),
        (_WORKFLOW, "DELETE"),
        (f"{_WORKFLOW}:listRevisions", "GET"),
        (f"{_WORKFLOW}:triggerPubsubExecution", "POST"),
        (f"{_EXECUTION}:exportData", "GET"),
        (f"{_EXECUTION}:deleteExecutionHistory", "POST"),
        (f"{_EXECUTION}/stepEntries/<entry>", "GET"),
    ]


def _refuse(**_names: str) -> Answer:
    raise RpcError(
        grpc.StatusCode.UNIMPLEMENTED, f"{request.method} {request.path} is not implemented by the local cloud"
    )


def _error(error: RpcError) -> tuple[Response, int]:
    status = _CODES.get(error.code, 500)
    return jsonify({"error": {"code": status, "message": error.message, "status": error.code.name}}), status


def _json(message: Any) -> Answer:
    made: Answer = json_format.MessageToDict(message)
    return made


def _execution_json(message: Any) -> Answer:
    made = _json(message)
    return made | {"createTime": made["startTime"]}


def _workflow_name(project: str, location: str, workflow: str) -> str:
    return f"projects/{project}/locations/{location}/workflows/{workflow}"


class _Face:
    """The views; their arguments are the parts of the path."""

    def __init__(self, api: Api, clock: Clock) -> None:
        self._api, self._clock = api, clock

    def create(self, **names: str) -> Answer:
        body = request.get_json(force=True, silent=True) if request.get_data() else {}
        if not isinstance(body, dict):
            raise invalid("the body is not a JSON object")
        kept = {key: value for key, value in body.items() if key not in _REST_ONLY}
        execution = ExecutionMessage()
        try:
            json_format.ParseDict(kept, execution)
        except json_format.ParseError as error:
            raise invalid(f"Invalid JSON payload received. {error}") from error
        parent = _workflow_name(**names)
        return _execution_json(self._api.create(parent, execution.argument, execution.labels, execution.call_log_level))

    def executions(self, **names: str) -> Answer:
        asked = request.args
        listing = Listing(
            _size(asked.get("pageSize", "0")),
            asked.get("pageToken", ""),
            asked.get("filter", ""),
            asked.get("orderBy", ""),
            asked.get("view") == "FULL",
        )
        messages, token = self._api.executions(_workflow_name(**names), listing)
        answer: Answer = {"executions": [_execution_json(one) for one in messages]}
        return answer | ({"nextPageToken": token} if token else {})

    def execution(self, execution: str, **names: str) -> Answer:
        full = request.args.get("view") != "BASIC"
        return _execution_json(self._api.get(f"{_workflow_name(**names)}/executions/{execution}", full))

    def cancel(self, execution: str, **names: str) -> Answer:
        return _execution_json(self._api.cancel(f"{_workflow_name(**names)}/executions/{execution}"))

    def workflows(self, project: str, location: str) -> Answer:
        return {"workflows": [_json(one) for one in self._api.workflows(f"projects/{project}/locations/{location}")]}

    def workflow(self, **names: str) -> Answer:
        return _json(self._api.workflow(_workflow_name(**names)))

    def callbacks(self, execution: str, **names: str) -> Answer:
        name = f"{_workflow_name(**names)}/executions/{execution}"
        return {
            "callbacks": [
                {"name": f"{name}/callbacks/{callback}", "method": method, "waiters": str(waiters)}
                for callback, method, waiters in self._api.callbacks(name)
            ]
        }

    def step_entries(self, execution: str, **names: str) -> Answer:
        name = f"{_workflow_name(**names)}/executions/{execution}"
        entries = [_entry_json(name, one) for one in self._api.step_entries(name)]
        size, offset = _size(request.args.get("pageSize", "0")) or 1000, _size(request.args.get("pageToken", "0"))
        answer: Answer = {"stepEntries": entries[offset : offset + size], "totalSize": len(entries)}
        return answer | ({"nextPageToken": str(offset + size)} if offset + size < len(entries) else {})

    def callback(self, execution: str, callback: str, **names: str) -> Answer:
        if not request.headers.get("Authorization", "").startswith("Bearer "):
            raise RpcError(grpc.StatusCode.UNAUTHENTICATED, "Request is missing required authentication credential.")
        received = {
            "http_request": {
                "method": request.method,
                "url": request.path,
                "headers": {key: value for key, value in request.headers.items() if key != "Authorization"},
                "query": request.args.to_dict(),
                "body": _callback_body(),
            },
            "received_time": rfc3339(self._clock.now()),
            "type": "HTTP",
        }
        self._api.callback(f"{_workflow_name(**names)}/executions/{execution}", callback, received)
        return {}


def _callback_body() -> Any:
    data = request.get_data()
    if not data:
        return None
    if request.mimetype == "application/json":
        try:
            return from_json(data)
        except ValueError as error:
            raise invalid(f"the body is not JSON: {error}") from error
    return data.decode("utf-8", "replace")


def _entry_json(execution: str, row: dict[str, Any]) -> Answer:
    return {
        "name": f"{execution}/stepEntries/{row['entry']}",
        "entryId": str(row["entry"]),
        "routine": row["routine"],
        "step": row["step"],
        "stepType": row["kind"],
        "state": row["state"],
        "createTime": row["create_time"].replace("+00:00", "Z"),
        "updateTime": row["update_time"].replace("+00:00", "Z"),
    }


def _size(text: str) -> int:
    if not text.isdigit():
        raise invalid(f"{text!r} is not a page size or token of this list")
    return int(text)
