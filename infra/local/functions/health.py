"""Asks a functions host how its functions are."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from infra.local.functions.dispatcher import HEALTH_PATH, LOADED_PATH
from infra.local.functions.sockets import UnixConnection

TIMEOUT_SECONDS = 2.0


def states(path: Path) -> dict[str, str]:
    """By function: "ready", "loading" or why it cannot be loaded; empty when the host does not answer."""
    return _asked(path, HEALTH_PATH)


def loaded(path: Path) -> dict[str, str]:
    """As `states`, and where functions still load the answer waits for a moment."""
    return _asked(path, LOADED_PATH)


def _asked(path: Path, address: str) -> dict[str, str]:
    connection = UnixConnection(path, TIMEOUT_SECONDS)
    try:
        connection.request("GET", address)
        found: dict[str, str] = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()
    return found
