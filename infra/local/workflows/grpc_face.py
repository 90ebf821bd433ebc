"""gRPC: google.cloud.workflows.executions.v1.Executions and google.cloud.workflows.v1.Workflows."""

from __future__ import annotations

from typing import Any

import grpc
from google.cloud.workflows.executions_v1.types import executions as executions_types
from google.cloud.workflows_v1.types import workflows as workflows_types

from infra.local.rpc import Method, service_handler
from infra.local.workflows.api import Api, Listing
from infra.local.workflows.resources import ExecutionMessage, WorkflowMessage

_BASIC, _FULL = 1, 2
_ListExecutionsResponse = executions_types.ListExecutionsResponse.pb()
_ListWorkflowsResponse = workflows_types.ListWorkflowsResponse.pb()
_REFUSED = ("CreateWorkflow", "DeleteWorkflow", "UpdateWorkflow", "ListWorkflowRevisions")


def handlers(api: Api) -> list[grpc.GenericRpcHandler]:
    """Both services on one API."""
    face = _Face(api)
    executions = {
        "CreateExecution": Method(face.create, executions_types.CreateExecutionRequest.pb(), ExecutionMessage),
        "GetExecution": Method(face.get, executions_types.GetExecutionRequest.pb(), ExecutionMessage),
        "ListExecutions": Method(face.list, executions_types.ListExecutionsRequest.pb(), _ListExecutionsResponse),
        "CancelExecution": Method(face.cancel, executions_types.CancelExecutionRequest.pb(), ExecutionMessage),
    }
    workflows = {
        "ListWorkflows": Method(face.list_workflows, workflows_types.ListWorkflowsRequest.pb(), _ListWorkflowsResponse),
        "GetWorkflow": Method(face.get_workflow, workflows_types.GetWorkflowRequest.pb(), WorkflowMessage),
    }
    return [
        service_handler("google.cloud.workflows.executions.v1.Executions", executions),
        service_handler("google.cloud.workflows.v1.Workflows", workflows, _REFUSED),
    ]


class _Face:
    """The methods, each from request message to response message."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def create(self, request: Any, _context: grpc.ServicerContext) -> Any:
        execution = request.execution
        return self._api.create(request.parent, execution.argument, execution.labels, execution.call_log_level)

    def get(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return self._api.get(request.name, full=request.view != _BASIC)

    def list(self, request: Any, _context: grpc.ServicerContext) -> Any:
        full = request.view == _FULL
        listing = Listing(request.page_size, request.page_token, request.filter, request.order_by, full)
        messages, token = self._api.executions(request.parent, listing)
        return _ListExecutionsResponse(executions=messages, next_page_token=token)

    def cancel(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return self._api.cancel(request.name)

    def list_workflows(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return _ListWorkflowsResponse(workflows=self._api.workflows(request.parent))

    def get_workflow(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return self._api.workflow(request.name)
