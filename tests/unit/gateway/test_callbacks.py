"""One call to a callback endpoint, and what its answers mean."""

from __future__ import annotations

import httpx
import pytest

from shared.errors import Forbidden, Transient
from shared.gateway.callbacks import Callbacks
from shared.gateway.transport import build_client

URL = "https://workflowexecutions.googleapis.com/v1/projects/p/locations/l/workflows/w/executions/e/callbacks/c"


class Workflows(httpx.BaseTransport):
    def __init__(self, status: int = 200) -> None:
        self.status, self.asked = status, list[httpx.Request]()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if not self.status:
            raise httpx.ConnectError("no")
        return httpx.Response(self.status, headers={"Location": "https://evil.example"})


def callbacks(workflows: Workflows) -> Callbacks:
    return Callbacks(build_client(workflows), lambda: "token")


def test_it_is_called_once_with_the_accounts_token() -> None:
    workflows = Workflows()
    callbacks(workflows).wake(URL)
    [asked] = workflows.asked
    assert (asked.method, str(asked.url), asked.headers["Authorization"]) == ("POST", URL, "Bearer token")


@pytest.mark.parametrize("status", [400, 404, 409, 410])
def test_an_execution_that_has_ended_needs_no_call(status: int) -> None:
    workflows = Workflows(status)
    callbacks(workflows).wake(URL)
    assert len(workflows.asked) == 1


@pytest.mark.parametrize("status", [0, 401, 429, 500, 503, 302])
def test_what_may_succeed_later_is_told_so(status: int) -> None:
    workflows = Workflows(status)
    with pytest.raises(Transient):
        callbacks(workflows).wake(URL)
    assert len(workflows.asked) == 1


def test_an_account_without_the_role_is_forbidden_to() -> None:
    with pytest.raises(Forbidden, match="workflows.invoker"):
        callbacks(Workflows(403)).wake(URL)
