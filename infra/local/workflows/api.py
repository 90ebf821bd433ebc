"""The operations of both APIs, whatever face they are called through. Refusals are `RpcError`s."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc

from infra.local.rpc import RpcError
from infra.local.workflows.engine import Engine
from infra.local.workflows.errors import Raised
from infra.local.workflows.limits import ARGUMENT_BYTES, LABELS
from infra.local.workflows.listing import Page, select
from infra.local.workflows.resources import execution_message, workflow_message
from infra.local.workflows.store import ExecutionRow, Revision, Store
from infra.local.workflows.values import from_json

_WORKFLOW = re.compile(r"projects/([^/]+)/locations/([^/]+)/workflows/([^/]+)")
_EXECUTION = re.compile(r"(projects/[^/]+/locations/[^/]+/workflows/[^/]+)/executions/([^/]+)")


@dataclass(frozen=True)
class Listing:
    """What a list call asks for."""

    page_size: int = 0
    page_token: str = ""
    filter: str = ""
    order_by: str = ""
    full: bool = False


def invalid(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.INVALID_ARGUMENT, message)


def not_found(name: str) -> RpcError:
    return RpcError(grpc.StatusCode.NOT_FOUND, f"Resource '{name}' was not found.")


class Api:
    """Executions v1 and the reading half of Workflows v1."""

    def __init__(self, store: Store, engine: Engine, project: str, location: str) -> None:
        self._store, self._engine = store, engine
        self._where = project, location

    def _revision(self, name: str) -> Revision:
        found = _WORKFLOW.fullmatch(name)
        if found is None:
            raise invalid(f"'{name}' is not the name of a workflow")
        latest = self._store.latest(found.group(3)) if found.groups()[:2] == self._where else None
        if latest is None:
            raise not_found(name)
        return latest

    def create(self, parent: str, argument: str, labels: Mapping[str, str], call_log_level: int) -> Any:
        """CreateExecution; not idempotent, as in production."""
        revision = self._revision(parent)
        if len(argument.encode()) > ARGUMENT_BYTES:
            raise invalid(f"the argument has {len(argument.encode())} bytes, more than {ARGUMENT_BYTES}")
        if len(labels) > LABELS:
            raise invalid(f"an execution may have {LABELS} labels")
        try:
            if argument:
                from_json(argument)
            execution = self._engine.create(revision, argument, dict(labels), call_log_level)
        except (ValueError, RecursionError) as error:
            raise invalid(f"the argument is not JSON: {error}") from error
        except Raised as raised:
            raise invalid(f"the argument cannot be taken: {raised.error}") from raised
        return self.get(f"{parent}/executions/{execution}")

    def _row(self, name: str) -> tuple[ExecutionRow, str]:
        found = _EXECUTION.fullmatch(name)
        if found is None:
            raise invalid(f"'{name}' is not the name of an execution")
        revision = self._revision(found.group(1))
        row = self._store.execution(found.group(2))
        if row is None or row.workflow != revision.workflow:
            raise not_found(name)
        return row, found.group(1)

    def get(self, name: str, full: bool = True) -> Any:
        """GetExecution"""
        row, parent = self._row(name)
        return execution_message(row, parent, full)

    def executions(self, parent: str, listing: Listing) -> tuple[list[Any], str]:
        """ListExecutions: messages and the next page's token."""
        revision = self._revision(parent)
        rows = self._store.executions(revision.workflow)
        try:
            page: Page = select(rows, listing.filter, listing.order_by, listing.page_size, listing.page_token)
        except ValueError as error:
            raise invalid(str(error)) from error
        return [execution_message(row, parent, listing.full) for row in page.rows], page.next_token

    def cancel(self, name: str) -> Any:
        """CancelExecution; one that has ended cannot be cancelled."""
        row, _ = self._row(name)
        if row.state != "ACTIVE" or not self._engine.cancel(row.id):
            raise RpcError(
                grpc.StatusCode.FAILED_PRECONDITION, f"Execution '{name}' has already ended and cannot be cancelled."
            )
        return self.get(name)

    def workflow(self, name: str) -> Any:
        """GetWorkflow"""
        latest = self._revision(name)
        return workflow_message(latest, self._store.first(latest.workflow) or latest, name, True)

    def workflows(self, parent: str) -> list[Any]:
        """ListWorkflows, in one page."""
        project, location = self._where
        if parent not in (f"projects/{project}/locations/{location}", f"projects/{project}/locations/-"):
            return []
        where = f"projects/{project}/locations/{location}/workflows"
        messages = []
        for name in self._store.workflows():
            latest, first = self._store.latest(name), self._store.first(name)
            assert latest is not None and first is not None
            messages.append(workflow_message(latest, first, f"{where}/{name}", False))
        return messages

    def callback(self, execution: str, callback: str, request: dict[str, Any]) -> None:
        """A request to a callback endpoint."""
        row, _ = self._row(execution)
        wrong = self._engine.callback(row.id, callback, request)
        if wrong == "method":
            raise invalid(f"the callback '{callback}' does not take {request['http_request']['method']}")
        if wrong is not None:
            raise not_found(f"{execution}/callbacks/{callback}")

    def callbacks(self, execution: str) -> list[tuple[str, str, int]]:
        row, _ = self._row(execution)
        return self._engine.callbacks(row.id)

    def newest(self, limit: int) -> list[ExecutionRow]:
        """The newest executions of all workflows, as stored, without argument and result."""
        return self._store.newest(limit)

    def active(self) -> int:
        """How many executions have not ended."""
        return len(self._store.active())

    def source(self, execution: str) -> Revision:
        """The revision that an execution runs."""
        row, _ = self._row(execution)
        revision = self._store.revision(row.workflow, row.revision)
        assert revision is not None, f"execution {execution} names an unknown revision"
        return revision

    def history(self, execution: str, limit: int) -> tuple[list[dict[str, Any]], int]:
        """The newest step entries of an execution, oldest first, and how many there are in all."""
        row, _ = self._row(execution)
        return self._store.history(row.id, limit)

    def row(self, execution: str) -> ExecutionRow:
        """An execution as stored."""
        return self._row(execution)[0]

    def wipe(self) -> int:
        """Cancel what is under way and forget every execution; how many there were."""
        for execution in self._store.active():
            self._engine.cancel(execution)
        return self._store.wipe()

    def step_entries(self, execution: str) -> list[dict[str, Any]]:
        row, _ = self._row(execution)
        return self._store.step_entries(row.id)
