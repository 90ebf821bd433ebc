"""The scripts that wait for the next requests to a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from infra.local.aiplatform.grounding import wants_search
from infra.local.aiplatform.model_script import Asks, ModelScript
from infra.local.aiplatform.script import HttpFailure, next_failure
from infra.local.aiplatform.storage import Storage

SCHEMA = """
CREATE TABLE IF NOT EXISTS model_scripts (
    n INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, used INTEGER NOT NULL DEFAULT 0);
"""


@dataclass(frozen=True)
class Turn:
    """What the next request meets: a failure to answer, or a script to follow."""

    script: ModelScript
    failure: HttpFailure | None


class ModelQueue:
    """First in, first out, for each kind of request; each script is for one answer."""

    def __init__(self, database: Storage) -> None:
        self._db = database

    def add(self, script: ModelScript) -> None:
        """Keep it for a later request. Raises ApiError 400 for one that could not be followed."""
        body = script.to_json()
        ModelScript.from_data(json.loads(body))
        with self._db.write() as connection:
            connection.execute("INSERT INTO model_scripts (body) VALUES (?)", (body,))

    def take(self, request: Mapping[str, Any]) -> Turn | None:
        """The first script for such a request; a failure that it still holds is used up by this call."""
        kind = _kind(request)
        with self._db.write() as connection:
            rows = connection.execute("SELECT n, body FROM model_scripts WHERE used = 0 ORDER BY n").fetchall()
            for number, body in rows:
                script = ModelScript.from_data(json.loads(body))
                if script.asks not in (kind, "any") or not _is_about(request, script.about):
                    continue
                failure, rest = next_failure(script.failures)
                left = replace(script, failures=rest)
                used = failure is None or (not rest and not script.items)
                connection.execute(
                    "UPDATE model_scripts SET body = ?, used = ? WHERE n = ?", (left.to_json(), int(used), number)
                )
                return Turn(script, failure)
        return None

    def unused(self) -> list[str]:
        """A line for each script that no request took, or not to its end; those that fail for ever are left out."""
        rows = self._db.rows("SELECT n, body FROM model_scripts WHERE used = 0 ORDER BY n")
        scripts = [(number, ModelScript.from_data(json.loads(body))) for number, body in rows]
        waiting = [pair for pair in scripts if all(failure.times is not None for failure in pair[1].failures)]
        return [f"{script.name or f'model script {number}'}: no request took it" for number, script in waiting]

    def clear(self) -> int:
        """Forget the scripts that wait, also those that fail for ever; how many they were."""
        with self._db.write() as connection:
            return connection.execute("UPDATE model_scripts SET used = 1 WHERE used = 0").rowcount


def _is_about(request: Mapping[str, Any], words: str) -> bool:
    return not words or json.dumps(words, ensure_ascii=False)[1:-1] in json.dumps(request, ensure_ascii=False)


def _kind(request: Mapping[str, Any]) -> Asks:
    if any(tool.get("functionDeclarations") for tool in request.get("tools") or ()):
        return "tools"
    if wants_search(request):
        return "search"
    config = request.get("generationConfig") or {}
    return "json" if "json" in str(config.get("responseMimeType", "")) else "text"
