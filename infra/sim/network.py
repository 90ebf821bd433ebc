"""How calls travel to the services: in no time mostly, and sometimes late, never, twice answered or not at all."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import grpc

from infra.sim.channel import CallFailed
from infra.sim.hub import Hub
from infra.sim.weather import Weather

SERVICES = {"google.firestore": "firestore", "google.pubsub": "pubsub", "google.cloud.workflows": "workflows"}
WRITES = ("Commit", "CreateExecution", "CancelExecution", "Publish")
USUAL_SECONDS = 0.05
"""How long a call takes on a good day, on average."""
_PATIENCE = 60.0
Apply = Callable[[], list[bytes]]


class Network:
    """Carries the gRPC calls of function instances."""

    def __init__(self, hub: Hub, weather: Weather) -> None:
        self._hub, self._weather = hub, weather
        self._moments = random.Random(f"moments/{weather.plan.seed}")

    def carry(self, method: str, timeout: float | None, apply: Apply) -> list[bytes]:
        """One call: it takes a moment to arrive, then happens at once or not at all, and a seam follows."""
        self._hub.sleep(self._moments.expovariate(1 / USUAL_SECONDS))
        weather, name, patience = self._weather, method.rpartition("/")[2], _patience(timeout)
        service = next((each for prefix, each in SERVICES.items() if method.startswith(f"/{prefix}")), "")
        if weather.is_out(service, name):
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, f"{service} is away")
        if weather.happens("drop", name):
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, "the request was lost")
        self._travel(name, patience, apply)
        if name == "Commit" and weather.aborts(name):
            raise CallFailed(grpc.StatusCode.ABORTED, "too much contention")
        answer = self._applied(name, apply)
        task = self._hub.current
        if task is not None and name in WRITES and task.marks.pop("loses", False):
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, "the connection broke")
        if chance := weather.happens("lost", name):
            if chance.random() < 0.5:
                self._hub.sleep(patience)
                raise CallFailed(grpc.StatusCode.DEADLINE_EXCEEDED, "the answer was lost")
            raise CallFailed(grpc.StatusCode.UNAVAILABLE, "the connection broke")
        self._hub.pause()
        return answer

    def _travel(self, name: str, timeout: float, apply: Apply) -> None:
        """A delay; one that is longer than the caller waits has a write arrive all the same, after he has given up."""
        chance = self._weather.happens("delay", name)
        if chance is None:
            return
        seconds = chance.choice((chance.uniform(0.0, 2.0), chance.uniform(0.0, 2.0 * timeout)))
        if seconds < timeout:
            self._hub.sleep(seconds)
            return
        if name in WRITES:
            self._hub.at(seconds, lambda: self._late(name, apply), f"late {name}")
        self._hub.sleep(timeout)
        raise CallFailed(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time")

    def _late(self, name: str, apply: Apply) -> None:
        def arrive() -> None:
            try:
                self._applied(f"late {name}", apply)
            except CallFailed as refusal:
                self._hub.note(f"late {name} {refusal.code()}")

        self._hub.spawn(arrive, f"late {name}")

    def _applied(self, name: str, apply: Apply) -> list[bytes]:
        try:
            answer = apply()
        except CallFailed as refusal:
            self._hub.note(f"{name} {refusal.code().name}")
            raise
        self._hub.note(name)
        return answer


def _patience(timeout: float | None) -> float:
    """How long the caller waits. Google's client has already taken the machine's own time off: it is put back."""
    return _PATIENCE if timeout is None else math.ceil(timeout)
