"""Callback endpoints of workflow executions: one POST wakes whoever awaits it (cloud.google.com/workflows, 2026)."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from shared.errors import Forbidden, Transient
from shared.gateway.transport import Request, TransportError, exchange

_SECONDS = 5.0


class Callbacks:
    def __init__(self, client: httpx.Client, token: Callable[[], str]) -> None:
        self._client, self._token = client, token

    def wake(self, url: str) -> None:
        """Call it, once; the account's access token goes with it, so `url` must be known to be one of Workflows.

        One that is no more, since its execution has ended, needs no call. Raises Transient, Forbidden.
        """
        headers = {"Authorization": f"Bearer {self._token()}", "Content-Type": "application/json"}
        try:
            with exchange(self._client, Request("POST", url, headers, b"{}"), deadline_seconds=_SECONDS) as answer:
                status = answer.status
        except TransportError as error:
            raise Transient(f"The execution could not be called: {error.message}") from error
        if status == 403:
            raise Forbidden("The account may not call executions back: it needs roles/workflows.invoker.")
        if not 200 <= status < 300 and status not in (400, 404, 409, 410):
            raise Transient(f"Workflows answered {status} to the call of an execution.")
