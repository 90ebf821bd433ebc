"""The scripts that wait for the next creates, and the failures that are still to be answered."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Literal

from infra.local.aiplatform.script import HttpFailure, Script, next_failure
from infra.local.aiplatform.storage import Storage

_Failures = Literal["create_failures", "get_failures", "cancel_failures"]


@dataclass(frozen=True)
class Taken:
    """What the next create meets: a failure to answer, or a script to follow (its number is bound to the run later)."""

    number: int
    script: Script
    failure: HttpFailure | None


class ScriptQueue:
    """First in, first out; each script is for one accepted create."""

    def __init__(self, database: Storage) -> None:
        self._db = database

    def add(self, script: Script) -> None:
        """Keep it for a later create. Raises ApiError 400 for one that could not be followed."""
        body = script.to_json()
        _parse(body)
        with self._db.write() as connection:
            connection.execute("INSERT INTO scripts (body) VALUES (?)", (body,))

    def take(self) -> Taken | None:
        """The first script without a run; a failure it still holds for creates is used up by this call."""
        with self._db.write() as connection:
            row = connection.execute("SELECT n, body FROM scripts WHERE interaction IS NULL ORDER BY n").fetchone()
            if row is None:
                return None
            script = _parse(row[1])
            failure, rest = next_failure(script.create_failures)
            owner = None if failure else ""  # taken: no other create may have it, though the run has no id yet
            body = replace(script, create_failures=rest).to_json()
            connection.execute(
                "UPDATE scripts SET body = ?, touched = 1, interaction = ? WHERE n = ?", (body, owner, row[0])
            )
            return Taken(row[0], script, failure)

    def bind(self, number: int, interaction: str) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE scripts SET interaction = ? WHERE n = ?", (interaction, number))

    def failure(self, interaction: str, kind: _Failures) -> HttpFailure | None:
        """The failure that this request to that run has to answer, used up by the call."""
        with self._db.write() as connection:
            row = connection.execute("SELECT n, body FROM scripts WHERE interaction = ?", (interaction,)).fetchone()
            if row is None:
                return None
            script = _parse(row[1])
            failure, rest = next_failure(getattr(script, kind))
            if failure:
                body = _with(script, kind, rest).to_json()
                connection.execute("UPDATE scripts SET body = ? WHERE n = ?", (body, row[0]))
            return failure

    def unused(self) -> list[str]:
        """A line for each script that no create took and for each bounded failure that was not answered."""
        rows = self._db.rows("SELECT n, body, touched, interaction FROM scripts ORDER BY n")
        left = []
        for number, body, touched, interaction in rows:
            script = _parse(body)
            label = script.name or f"script {number}"
            if interaction is None and not (touched and any(f.times is None for f in script.create_failures)):
                left.append(f"{label}: no create took it")
            for kind in ("create_failures", "get_failures", "cancel_failures"):
                count = sum(failure.times or 0 for failure in getattr(script, kind))
                if count:
                    left.append(f"{label}: {count} of its {kind} not answered")
        return left

    def clear(self) -> int:
        """Forget the scripts that wait for a create; how many they were. Runs under way go on by theirs."""
        with self._db.write() as connection:
            return connection.execute("DELETE FROM scripts WHERE interaction IS NULL").rowcount


def _parse(body: str) -> Script:
    return Script.from_data(json.loads(body))


def _with(script: Script, kind: _Failures, failures: tuple[HttpFailure, ...]) -> Script:
    if kind == "get_failures":
        return replace(script, get_failures=failures)
    if kind == "cancel_failures":
        return replace(script, cancel_failures=failures)
    return replace(script, create_failures=failures)
