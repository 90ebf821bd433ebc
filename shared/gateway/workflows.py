"""Workflow executions: start one, see whether it lives, cancel it.

One request each, with a timeout, never retried here: a create has no idempotency key, so trying again is for those who
hold the launch lease.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
from google.api_core import exceptions as api
from google.cloud.workflows import executions_v1
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport

from shared.errors import Forbidden, InputError, MemexError, NotFound, Transient
from shared.telemetry import spans

_TIMEOUT_SECONDS = 10.0
_LIVE = frozenset({"ACTIVE", "QUEUED"})
_PERMANENT: Mapping[type[Exception], type[MemexError]] = {
    api.NotFound: NotFound,
    api.PermissionDenied: Forbidden,
    api.Unauthenticated: Forbidden,
    api.InvalidArgument: InputError,
    api.FailedPrecondition: InputError,
}


class Executions:
    """The executions of one project and location."""

    def __init__(self, client: Callable[[], executions_v1.ExecutionsClient], project: str, location: str) -> None:
        self._client = client
        self._parent = f"projects/{project}/locations/{location}/workflows"

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        """Start an execution and return its full name. It goes on with the present trace, unless it is told of another.

        Raises Transient (it may or may not have started), or NotFound, Forbidden, InputError (it has not).
        """
        told = {"traceparent": spans.traceparent()} if spans.enabled() else {}
        execution = executions_v1.Execution(argument=json.dumps({**told, **argument}))
        with _translated(f"start the workflow {workflow}"):
            created = self._client().create_execution(
                parent=f"{self._parent}/{workflow}", execution=execution, timeout=_TIMEOUT_SECONDS, retry=None
            )
        return str(created.name)

    def alive(self, name: str) -> bool:
        """Whether that execution may still act; False when it has ended or nobody knows it. Raises Transient."""
        request = executions_v1.GetExecutionRequest(name=name, view=executions_v1.ExecutionView.BASIC)
        try:
            with _translated("look at an execution"):
                found = self._client().get_execution(request=request, timeout=_TIMEOUT_SECONDS, retry=None)
        except (NotFound, InputError):
            return False
        return found.state.name in _LIVE

    def cancel(self, name: str) -> None:
        """Cancel that execution; one that has ended or is unknown needs none. Raises Transient, Forbidden."""
        try:
            with _translated("cancel an execution"):
                self._client().cancel_execution(name=name, timeout=_TIMEOUT_SECONDS, retry=None)
        except (NotFound, InputError):
            return


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except api.GoogleAPICallError as error:
        for kind, ours in _PERMANENT.items():
            if isinstance(error, kind):
                raise ours(f"Could not {what}: {error.message}") from error
        raise Transient(f"Could not {what}: {error.message or type(error).__name__}") from error
    except (grpc.RpcError, api.RetryError) as error:
        raise Transient(f"Could not {what}: {error}") from error


def executions_client(endpoint: str) -> executions_v1.ExecutionsClient:
    """Google's client; `endpoint` is host:port of a service without TLS, or empty for Google's own."""
    if not endpoint:
        return executions_v1.ExecutionsClient()
    return executions_v1.ExecutionsClient(transport=ExecutionsGrpcTransport(channel=grpc.insecure_channel(endpoint)))
