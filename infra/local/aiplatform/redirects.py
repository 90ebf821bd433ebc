"""The redirect links of grounded answers: /grounding-api-redirect/{token}."""

from __future__ import annotations

from flask import Blueprint, Response, g, redirect
from werkzeug.wrappers import Response as AnyResponse

from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.runs import Runs
from infra.local.aiplatform.storage import Storage


class Redirects:
    """Where each token leads; one without a location is found, and leads nowhere (404)."""

    def __init__(self, database: Storage, runs: Runs) -> None:
        self._db, self._runs = database, runs

    def add(self, token: str, location: str | None, delay_seconds: float = 0.0) -> None:
        """`delay_seconds` is how long the answer takes, so that a time-out can be tested."""
        with self._db.write() as connection:
            connection.execute("INSERT OR REPLACE INTO redirects VALUES (?, ?, ?)", (token, location, delay_seconds))

    def register(self, blueprint: Blueprint) -> None:
        path = "/grounding-api-redirect/<token>"
        blueprint.add_url_rule(path, view_func=self.follow, methods=["GET", "HEAD"], endpoint="redirect")

    def follow(self, token: str) -> AnyResponse:
        g.verb, g.interaction = "redirect", ""
        query = "SELECT location, delay_seconds FROM redirects WHERE token = ?"
        rows = self._db.rows(query, token)
        if rows:
            self._wait(rows[0][1])
        if not rows or rows[0][0] is None:
            raise ApiError(404, f"Redirect {token!r} was not found.")
        return redirect(rows[0][0], 302, Response)

    def _wait(self, seconds: float) -> None:
        """Hold the answer back; a part that closes holds nothing back."""
        if seconds <= 0:
            return
        pulse, clock = self._runs.pulse, self._runs.clock
        begun = clock.now()
        timer = clock.call_later(seconds + 1e-3, pulse.beat, "redirect")
        while not pulse.closed and (clock.now() - begun).total_seconds() < seconds:
            pulse.wait(pulse.beats)
        timer.cancel()
