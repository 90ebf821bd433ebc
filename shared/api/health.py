"""What a function needs, looked at: quickly, without a paid call, and no oftener than every few seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from flask import Request, Response

from shared.api import answers
from shared.api.security import secured
from shared.contracts.health import Check, HealthAnswer
from shared.errors import MemexError, SettingsError
from shared.store.errors import translated

if TYPE_CHECKING:
    from shared.bootstrap import App

log = logging.getLogger(__name__)

KEPT = timedelta(seconds=5)
"""An answer stands so long, whoever asks and however often: anyone may, so it must cost next to nothing."""
READ_SECONDS = 3.0
_PATHS = frozenset({"/_health", "/api/v1/_health", "/api/v1/chat/_health", "/mcp/_health"})


def is_asked(request: Request) -> bool:
    """Whether the request is for the health of the function; whatever stands before the path in the local cloud."""
    return request.method == "GET" and request.path.rstrip("/") in _PATHS


def respond(app: App) -> Response:
    """200 where everything is there, else 503; JSON with each check's name, status and milliseconds. Never raises."""
    found = _kept.answer(app)
    return secured(answers.model(found, status=200 if found.status == "ok" else 503))


class _Kept:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[App, datetime, HealthAnswer] | None = None

    def answer(self, app: App) -> HealthAnswer:
        with self._lock:  # of many who ask at once one looks
            now = app.clock.now()
            if self._known is not None and self._known[0] is app and self._known[1] > now:
                return self._known[2]
            found = looked(app)
            self._known = (app, now + KEPT, found)
            return found


_kept = _Kept()


def looked(app: App) -> HealthAnswer:
    """Each check, one after the other."""
    checks = tuple(_check(app, name, look) for name, look in _CHECKS.items())
    failing = any(check.status == "failing" for check in checks)
    return HealthAnswer(status="failing" if failing else "ok", checks=checks)


def _check(app: App, name: str, look: Callable[[App], bool]) -> Check:
    begun = app.clock.now()
    try:
        status = "ok" if look(app) else "unused"
    except MemexError as error:
        log.warning("health: %s: %s", name, error.message)
        status = "failing"
    except Exception:  # noqa: BLE001 - whatever it was, it is logged, and the answer is that it fails
        log.exception("health: %s", name)
        status = "failing"
    milliseconds = round((app.clock.now() - begun).total_seconds() * 1000)
    return Check.model_validate({"name": name, "status": status, "milliseconds": milliseconds})


def _firestore(app: App) -> bool:
    """One read, with a deadline of its own, and no second try."""
    with translated():
        app.firestore.document("system/spending").get(["paused"], retry=None, timeout=READ_SECONDS)
    return True


def _credentials(app: App) -> bool:
    """That somebody can be let in: a function without API_TOKENS is none that people call."""
    return bool(app.settings.api_tokens or app.settings.id_token_audiences)


def _models(app: App) -> bool:
    """That they are set as they must be. Nothing is asked of them: that would be paid for."""
    from shared.llm.presets import backend_of

    backend = backend_of(app.settings)
    if backend == "openai" and not app.settings.model_base_url and not app.settings.model_preset:
        raise SettingsError("MODEL_BASE_URL is not set.")
    return backend != "none"


def _files(app: App) -> bool:
    return bool(app.settings.objects_url)


_CHECKS: Mapping[str, Callable[[App], bool]] = {
    "firestore": _firestore,
    "credentials": _credentials,
    "models": _models,
    "files": _files,
}
