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
from shared.errors import MemexError, NotFound, SpendingPaused, Unexpected
from shared.invalid import invalid
from shared.telemetry.context import NAMES, learn
from shared.telemetry.serving import serving, traced

log = logging.getLogger(__name__)

Verb = Callable[[Any], BaseModel]


def respond(
    request: Request,
    *,
    function: str,
    settings: Settings,
    verbs: Callable[[], Mapping[str, tuple[type[Any], Verb]]],
    health: Callable[[], Response] | None = None,
) -> Response:
    """The answer to POST …/{verb} from a caller that the manifest names: the verb's model as JSON. Never raises.

    `verbs` gives, by name, the model of the body and what to call with it; it is asked only for a caller who may call.
    `health` answers GET …/_health, to whomever IAM lets come so far.
    """
    if health is not None and request.method == "GET" and request.path.rstrip("/").endswith("/_health"):
        return health()
    with serving(function, request.headers), traced(f"{function}{request.path}"):
        return _answer(request, function, settings, verbs)


def _answer(request: Request, function: str, settings: Settings, verbs: Callable[[], Mapping[str, Any]]) -> Response:
    try:
        auth.require_internal_caller(request.headers, function, settings)
        body, work = _verb(request, verbs())
        asked = _parsed(request, body)
        learn(**{name: getattr(asked, name) for name in NAMES if hasattr(asked, name)})
        return answers.model(work(asked))
    except SpendingPaused as paused:
        log.info("%s%s waits: %s", function, request.path, paused.message)
        return answers.error(paused)
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
