"""The workflows part of the local cloud."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import grpc
from flask import Blueprint

from infra.local.clock import Clock
from infra.local.meter import Meter
from infra.local.workflows import grpc_face, rest_face
from infra.local.workflows.api import Api
from infra.local.workflows.engine import Engine, Outside
from infra.local.workflows.errors import WorkflowError
from infra.local.workflows.limits import USER_VARIABLE_BYTES, USER_VARIABLES
from infra.local.workflows.ports import Http, NewId, Tokens, random_id, send
from infra.local.workflows.source.compile import compile_source
from infra.local.workflows.store import Revision, Store

_NAME = re.compile(r"[a-z](?:[a-z0-9_-]{0,61}[a-z0-9])?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class WorkflowsPart:
    """Deployed workflows and their executions, kept in `data_dir`/workflows.sqlite.

    `callback_base_url` is where callback endpoints are reached; set it to the HTTP front's address.
    """

    def __init__(  # noqa: PLR0913 - the part's seams, each with a name
        self,
        data_dir: Path,
        clock: Clock,
        meter: Meter,
        project: str,
        location: str,
        tokens: Tokens,
        http: Http = send,
        new_id: NewId = random_id,
    ) -> None:
        self.callback_base_url = "https://workflowexecutions.googleapis.com"
        self._clock = clock
        self._store = Store(data_dir)
        outside = Outside(clock, meter, http, tokens, new_id, project, location, lambda: self.callback_base_url)
        self._engine = Engine(self._store, outside)
        self.api = Api(self._store, self._engine, project, location)

    def deploy(self, name: str, source: Path, env: Mapping[str, str], service_account: str) -> None:
        """Check a source and make it what new executions of `name` run; executions under way keep theirs.

        Raises WorkflowError with file and line. Deploying what is deployed already changes nothing.
        """
        text = source.read_text(encoding="utf-8")
        _check_settings(name, source, env)
        compile_source(text, str(source))
        latest = self._store.latest(name)
        if latest and (latest.source, dict(latest.environment), latest.service_account) == (
            text,
            dict(env),
            service_account,
        ):
            return
        number = latest.number + 1 if latest else 1
        revision = f"{number:06d}-{hashlib.sha256(text.encode()).hexdigest()[:3]}"
        self._store.add_revision(
            Revision(name, number, revision, str(source), text, dict(env), service_account, self._clock.now())
        )

    def handlers(self) -> list[grpc.GenericRpcHandler]:
        """The gRPC services."""
        return grpc_face.handlers(self.api)

    def blueprint(self) -> Blueprint:
        """The REST paths, for the one HTTP front to register."""
        return rest_face.blueprint(self.api, self._clock)

    def start(self) -> None:
        """Go on with the executions that had not ended."""
        self._engine.resume_all()

    def close(self) -> None:
        """Stop where everything stands. Idempotent."""
        self._engine.close()
        self._store.close()


def _check_settings(name: str, source: Path, env: Mapping[str, str]) -> None:
    if not _NAME.fullmatch(name):
        raise WorkflowError(str(source), 1, f"'{name}' is not a workflow name")
    if len(env) > USER_VARIABLES:
        raise WorkflowError(str(source), 1, f"{len(env)} environment variables, more than {USER_VARIABLES}")
    for variable, value in env.items():
        reserved = variable.startswith(("GOOGLE", "WORKFLOWS"))
        if not _VARIABLE.fullmatch(variable) or reserved or len(value.encode()) > USER_VARIABLE_BYTES:
            raise WorkflowError(str(source), 1, f"the environment variable '{variable}' is not allowed")
