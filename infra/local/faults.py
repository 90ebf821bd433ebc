"""Faults on purpose, at the edges: gRPC calls, REST calls, event deliveries. By hand, or by a plan that a seed made."""

from __future__ import annotations

import fnmatch
import inspect
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.local.clock import Clock

if TYPE_CHECKING:
    from flask import Flask

SERVICES = ("firestore", "pubsub", "workflows", "aiplatform", "functions")

NUMBERS = {"seconds": 1e9, "times": 1e9, "copies": 1000}
"""The arguments that are numbers, and the largest each may be: thirty years and more are no time, but an overflow."""


class UnknownFault(Exception):
    """A fault that cannot be asked for; the message says what can."""


@dataclass(frozen=True)
class EventFault:
    """What happens to one delivery: extra copies at once, a delay in seconds, or nothing is delivered."""

    copies: int = 0
    delay_seconds: float = 0.0
    drop: bool = False


@dataclass
class _EventRule:
    function: str
    fault: EventFault
    left: int | None
    """How many events it still meets; None: every one."""


class Faults:
    """The faults that are active. Thread-safe; outages end by the clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._outages: dict[str, datetime] = {}
        self._lost: dict[str, int] = {}
        self._events: list[_EventRule] = []

    def outage(self, service: str, seconds: float) -> None:
        """Every call of a service of SERVICES is refused with UNAVAILABLE or 503 for so long, unapplied."""
        if service not in SERVICES:
            raise UnknownFault(f"There is no service {service!r}; there are {', '.join(SERVICES)}.")
        with self._lock:
            self._outages[service] = self._clock.now() + timedelta(seconds=seconds)

    def is_out(self, service: str) -> bool:
        with self._lock:
            return service in self._outages and self._clock.now() < self._outages[service]

    def lost_answer(self, method: str, times: int = 1) -> None:
        """The next calls of `method` are applied and their answers lost: DEADLINE_EXCEEDED, or a closed connection.

        `method` is a pattern for "google.firestore.v1.Firestore/Commit" or "POST /v1/interactions"; a plain
        gRPC method name such as "Commit" is enough.
        """
        with self._lock:
            self._lost[method] = self._lost.get(method, 0) + times

    def loses_answer(self, method: str) -> bool:
        """Whether this call's answer is to be lost; counts it."""
        short = method.rpartition("/")[2]
        with self._lock:
            for pattern, left in self._lost.items():
                if left > 0 and (fnmatch.fnmatchcase(method, pattern) or pattern == short):
                    self._lost[pattern] = left - 1
                    return True
        return False

    def duplicate_events(self, copies: int, function: str = "*", times: int | None = None) -> None:
        """Deliver each of the next `times` events (None: all) `copies` times more, at once."""
        self._add(_EventRule(function, EventFault(copies=copies), times))

    def delay_events(self, seconds: float, function: str = "*", times: int | None = 1) -> None:
        """Deliver the next events so much later; those behind them overtake."""
        self._add(_EventRule(function, EventFault(delay_seconds=seconds), times))

    def drop_events(self, function: str = "*", times: int | None = 1) -> None:
        """Never deliver the next events. Production does not do this: it is for proving that reconciling works."""
        self._add(_EventRule(function, EventFault(drop=True), times))

    def event(self, function: str) -> EventFault:
        """What is to happen to the next event for this function; counts it."""
        with self._lock:
            met = [rule for rule in self._events if rule.left != 0 and fnmatch.fnmatchcase(function, rule.function)]
            for rule in met:
                rule.left = None if rule.left is None else rule.left - 1
        return EventFault(
            copies=sum(rule.fault.copies for rule in met),
            delay_seconds=sum(rule.fault.delay_seconds for rule in met),
            drop=any(rule.fault.drop for rule in met),
        )

    def clear(self) -> None:
        """End every fault."""
        with self._lock:
            self._outages.clear()
            self._lost.clear()
            self._events.clear()

    def ask(self, wish: dict[str, Any]) -> None:
        """One fault from JSON, {"kind": …, and the arguments of the method}. Raises UnknownFault."""
        wishes = self._wishes()
        arguments = dict(wish)
        kind = arguments.pop("kind", None)
        if kind not in wishes:
            raise UnknownFault(f"There is no fault {kind!r}; there are {', '.join(wishes)}.")
        for name, value in arguments.items():
            _check(name, value)
        try:
            wishes[kind](**arguments)
        except TypeError as error:
            raise UnknownFault(f"{kind}: {error}") from error

    def kinds(self) -> dict[str, Any]:
        """What `ask` takes, for forms: by kind "about" and "arguments", each with name, kind, required and default."""
        return {
            kind: {
                "about": inspect.getdoc(method),
                "arguments": [
                    {
                        "name": argument.name,
                        "kind": "number" if argument.name in NUMBERS else "text",
                        "choices": SERVICES if argument.name == "service" else (),
                        "required": argument.default is argument.empty,
                        "default": None if argument.default is argument.empty else argument.default,
                    }
                    for argument in inspect.signature(method).parameters.values()
                ],
            }
            for kind, method in self._wishes().items()
        }

    def active(self) -> dict[str, Any]:
        """What is switched on, as JSON."""
        now = self._clock.now()
        with self._lock:
            return {
                "outages": {name: (end - now).total_seconds() for name, end in self._outages.items() if end > now},
                "lost_answers": {method: left for method, left in self._lost.items() if left},
                "events": [
                    {"function": r.function, "left": r.left, **asdict(r.fault)} for r in self._events if r.left != 0
                ],
            }

    def install(self, app: Flask) -> None:
        """Let a Flask application of services meet the faults; a blueprint's name is its service."""
        from infra.local.fault_hooks import install_http

        install_http(self, app)

    def _wishes(self) -> dict[str, Callable[..., None]]:
        return {
            "outage": self.outage,
            "lost_answer": self.lost_answer,
            "duplicate_events": self.duplicate_events,
            "delay_events": self.delay_events,
            "drop_events": self.drop_events,
            "clear": self.clear,
        }

    def _add(self, rule: _EventRule) -> None:
        with self._lock:
            self._events.append(rule)


def _check(name: str, value: object) -> None:
    """Refuse an argument of the wrong kind: numbers are within bounds, those that count are whole; the rest is text."""
    if name not in NUMBERS:
        well = isinstance(value, str)
    elif value is None:
        well = name == "times"
    else:
        kind = int | float if name == "seconds" else int
        well = isinstance(value, kind) and not isinstance(value, bool) and 0 <= value <= NUMBERS[name]
    if not well:
        raise UnknownFault(f"{name} cannot be {value!r}.")
