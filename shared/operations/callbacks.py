"""Where an execution that waits can be woken: an address of Workflows, which nobody else's may be mistaken for."""

from __future__ import annotations

import re

from shared.config import Settings, is_loopback
from shared.contracts.operations import Operation
from shared.operations.executions import same_execution

_GOOGLE = "https://workflowexecutions.googleapis.com"
_CALLBACK = re.compile(
    r"(?P<host>https?://[A-Za-z0-9.:-]+)/v1/projects/[^/?#]+/locations/[^/?#]+/workflows/[^/?#]+"
    r"/executions/(?P<execution>[A-Za-z0-9_-]+)/callbacks/[A-Za-z0-9_.-]+"
)


def is_callback(url: str, execution: str | None, settings: Settings) -> bool:
    """Whether it is a callback endpoint of that execution. Credentials are sent there, so it must be Workflows' own."""
    found = _CALLBACK.fullmatch(url)
    if found is None or not same_execution(found["execution"], execution):
        return False
    return found["host"] == _GOOGLE or bool(settings.workflows_endpoint and is_loopback(found["host"]))


def callback_of(operation: Operation, settings: Settings) -> str | None:
    """Where the execution that has the operation listens; None where it does not, or where that was another one."""
    url = operation.callback_url
    return url if url and is_callback(url, operation.execution, settings) else None
