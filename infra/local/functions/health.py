"""Asks a functions host how its functions are."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from infra.local.functions.dispatcher import HEALTH_PATH
from infra.local.functions.sockets import UnixConnection

TIMEOUT_SECONDS = 2.0


def states(path: Path) -> dict[str, str]:
    """By function: "ready", "loading" or why it cannot be loaded; empty when the host does not answer."""
    connection = UnixConnection(path, TIMEOUT_SECONDS)
    try:
        connection.request("GET", HEALTH_PATH)
        found: dict[str, str] = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()
    return found
