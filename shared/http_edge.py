"""The outermost edge of private HTTP functions: who calls, what is asked, and what an error means to the caller."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from flask import Request, Response
from pydantic import BaseModel, ValidationError

from shared import auth
from shared.api import answers
from shared.config import Settings
from shared.errors import MemexError, NotFound, Unexpected
from shared.invalid import invalid

log = logging.getLogger(__name__)

Verb = Callable[[Any], BaseModel]


def respond(
    request: Request, *, function: str, settings: Settings, verbs: Callable[[], Mapping[str, tuple[type[Any], Verb]]]
) -> Response:
    """The answer to POST …/{verb} from a caller that the manifest names: the verb's model as JSON. Never raises.

    `verbs` gives, by name, the model of the body and what to call with it; it is asked only for a caller who may call.
    """
    try:
        auth.require_internal_caller(request.headers, function, settings)
        body, work = _verb(request, verbs())
        return answers.model(work(_parsed(request, body)))
    except MemexError as failure:
        if failure.status >= 500:
            log.warning("%s%s: %s: %s", function, request.path, failure.code, failure.message)
        return answers.error(failure)
    except Exception:  # noqa: BLE001 - the outermost edge: whatever it was, it is logged and answered
        log.exception("%s%s failed", function, request.path)
        return answers.error(Unexpected())


def _verb(request: Request, verbs: Mapping[str, tuple[type[Any], Verb]]) -> tuple[type[Any], Verb]:
    name = request.path.rstrip("/").rpartition("/")[2]
    if request.method != "POST" or name not in verbs:
        raise NotFound(f"POST to one of {', '.join(sorted(verbs))}.")
    return verbs[name]


def _parsed(request: Request, body: type[Any]) -> Any:
    try:
        return body.model_validate_json(request.get_data() or b"{}")
    except ValidationError as error:
        raise invalid(error) from error
