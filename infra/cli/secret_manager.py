"""A secret of Secret Manager: its latest version, and another one after it. REST, version 1, as of November 2026."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from infra.cli.errors import CliError
from shared.errors import MemexError
from shared.gateway.transport import Request, build_client, exchange

ADDRESS = "https://secretmanager.googleapis.com"
SECONDS = 20.0
ANSWER_BYTES = 200_000
VALUE_BYTES = 65_536
"""The largest secret."""
EMPTY = ";"
"""Stands for no tokens: a secret without a byte is refused."""
NOTE = "Instances that run keep the tokens with which they started: docs/deploy.md, Who may call, says how to end them."


class InSecret:
    """The value of API_TOKENS in a secret; `token` gives access tokens of whoever may read and write it."""

    def __init__(self, project: str, secret: str, token: Callable[[], str], address: str = ADDRESS) -> None:
        for name, given in (("project", project), ("secret", secret)):
            if not re.fullmatch(r"[A-Za-z0-9_:.-]{1,255}", given):
                raise CliError(f"{given[:80]} is no {name}.", code="no_store")
        self._project, self._name, self._token = project, f"projects/{project}/secrets/{secret}", token
        self._address = address
        self._read = 0
        """The number of the version that was read."""

    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()  # whoever was faster is told of by `write`

    def read(self) -> str:
        answer = self._asked("GET", "/versions/latest:access", absent_is_empty=True)
        if not answer:
            return ""
        self._read = _number(answer)
        try:
            return base64.b64decode(answer["payload"]["data"], validate=True).decode()
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            raise CliError(f"{self._name} has no value that can be read.", code="no_store") from error

    def write(self, value: str) -> Mapping[str, str]:
        raw = (value or EMPTY).encode()
        if len(raw) > VALUE_BYTES:
            raise CliError("There are more tokens than one secret holds: revoke some.", code="too_large")
        body = {"payload": {"data": base64.b64encode(raw).decode()}}
        version = _number(self._asked("POST", ":addVersion", body))
        if self._read and version != self._read + 1:
            raise CliError(
                f"Somebody else changed {self._name} meanwhile, and version {version} has not what they wrote: see "
                f"versions {self._read + 1} to {version}, and do theirs again.",
                code="conflict",
                details={"version": version},
            )
        return {"version": str(version), "note": NOTE}

    def _asked(self, method: str, verb: str, body: Any = None, *, absent_is_empty: bool = False) -> dict[str, Any]:
        try:
            headers = {
                "Authorization": f"Bearer {self._token()}",
                "Content-Type": "application/json",
                "X-Goog-User-Project": self._project,
            }
            content = b"" if body is None else json.dumps(body).encode()
            asked = Request(method, f"{self._address}/v1/{self._name}{verb}", headers, content)
            with build_client() as client, exchange(client, asked, deadline_seconds=SECONDS) as answer:
                status, text = answer.status, answer.body(ANSWER_BYTES)
        except MemexError as error:
            raise CliError(error.message, code="unreachable") from error
        if status == 404 and absent_is_empty:
            return {}
        if status != 200:
            raise self._refusal(status, text)
        found = _json(text)
        if not isinstance(found, dict):
            raise CliError("Secret Manager did not answer a JSON object.", code="not_json")
        return found

    def _refusal(self, status: int, text: bytes) -> CliError:
        error = _json(text)
        said = error.get("error") if isinstance(error, dict) else None
        message = str(said.get("message", ""))[:500] if isinstance(said, dict) else ""
        if status == 404:
            message = f"There is no {self._name}: deploy first, or name another with --project and --secret."
        return CliError(message or f"Secret Manager answered {status}.", code=f"http_{status}")


def _number(answer: Mapping[str, Any]) -> int:
    """The number of the version that an answer names. Raises CliError."""
    digits = str(answer.get("name", "")).rpartition("/")[2]
    if not digits.isdecimal():
        raise CliError("Secret Manager did not say which version that is.", code="not_json")
    return int(digits)


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
