"""Deliveries of events to functions, and the jobs of the scheduler: what calls functions by itself."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from infra.local.console.answers import Refusal, number, say, stamp
from infra.local.eventarc.part import EventarcPart
from infra.local.scheduler import SchedulerPart

NEWEST, MOST = 50, 500
STATES = ("", "pending", "delivered", "dropped")


class Deliveries:
    """The addresses of Eventarc."""

    def __init__(self, eventarc: EventarcPart) -> None:
        self._eventarc = eventarc

    def register(self, pages: Blueprint) -> None:
        """GET /_cloud/deliveries, POST /_cloud/deliveries/{id}/now."""
        pages.add_url_rule("/deliveries", "deliveries", self.newest, methods=["GET"])
        pages.add_url_rule("/deliveries/<int:delivery>/now", "deliver_now", self.now, methods=["POST"])

    def newest(self) -> Response:
        """ "counts" by function and state, and the "newest", of ?state= if one is named."""
        state = request.args.get("state", "")
        if state not in STATES:
            raise Refusal(400, f"There is no state {state!r}; there are {', '.join(STATES[1:])}.", "state")
        newest = self._eventarc.deliveries(number("limit", NEWEST, MOST), state)
        return say({"counts": self._eventarc.counts(), "newest": newest})

    def now(self, delivery: int) -> Response:
        """Let a pending delivery not wait for its next try."""
        if not self._eventarc.deliver_now(delivery):
            raise Refusal(409, "This delivery is not pending any more, or the functions are switched off.")
        return say({"delivery": delivery}, 202)


class Jobs:
    """The addresses of the scheduler."""

    def __init__(self, scheduler: SchedulerPart) -> None:
        self._scheduler = scheduler

    def register(self, pages: Blueprint) -> None:
        """GET /_cloud/scheduler, POST /_cloud/scheduler/{name}/run."""
        pages.add_url_rule("/scheduler", "scheduler", lambda: say(self.report()), methods=["GET"])
        pages.add_url_rule("/scheduler/<name>/run", "scheduler_run", self.run, methods=["POST"])

    def report(self) -> dict[str, Any]:
        """Each job with its expression, its next run and its last."""
        return {"jobs": [self._job(name, cron) for name, cron in self._scheduler.jobs().items()]}

    def run(self, name: str) -> Response:
        """Begin a run now; 409 while one is under way."""
        try:
            begun = self._scheduler.run_soon(name)
        except KeyError as error:
            raise Refusal(404, f"There is no job {name!r}.") from error
        if not begun:
            raise Refusal(409, f"{name} is running already.")
        return say({"job": name}, 202)

    def _job(self, name: str, cron: str) -> dict[str, Any]:
        last = self._scheduler.last.get(name)
        try:
            due = self._scheduler.next_run(name)
        except ValueError:  # a malformed expression was logged at the start
            due = None
        return {
            "name": name,
            "cron": cron,
            "running": self._scheduler.is_running(name),
            "next_run_at": stamp(due),
            "last": None if last is None else {"at": stamp(last.at), "status": last.status},
        }
