"""Function instances: an App each, with its own clock, ids and randomness; they come, stall, and die without a word."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from infra.sim import wsgi
from infra.sim.earlier import earlier_application
from infra.sim.exchange import Disconnected, Exchange
from infra.sim.hub import Hub, Task
from infra.sim.weather import Weather
from shared import bootstrap
from shared.contracts.manifest import FunctionRow

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

MakeApp = Callable[[str, bool], bootstrap.App]
"""(name of the instance, whether it is of the earlier version) to its App."""


class Instance:
    """One process of one function. What it holds is gone when it crashes."""

    def __init__(  # noqa: PLR0913 - what a process is made of
        self,
        hub: Hub,
        row: FunctionRow,
        name: str,
        application: WSGIApplication,
        app: bootstrap.App,
        *,
        earlier: bool = False,
    ) -> None:
        self._hub, self.row, self.name = hub, row, name
        self._application, self.app = application, app
        self.earlier = earlier
        """Whether it runs the version before the present one."""
        self._exchanges: list[Exchange] = []
        self.alive = True

    def enter(self) -> None:
        """Become the process whose App is the current one: called before any of its tasks goes on."""
        bootstrap.use(self.app)

    def serve(self, request: wsgi.Request, exchange: Exchange) -> None:
        """Begin to answer, in a task of its own."""
        self._exchanges = [each for each in self._exchanges if not each.ended]
        self._exchanges.append(exchange)
        task = self._hub.spawn(lambda: self._answer(request, exchange), f"{self.name} {request.target}", self)
        task.marks["request"] = request

    @property
    def busy(self) -> int:
        """How many requests it has in hand."""
        return sum(1 for each in self._exchanges if not each.ended)

    def crash(self) -> list[Exchange]:
        """Die: no task of it goes on. The exchanges that are left without an answer."""
        self.alive = False
        self._hub.bury(self)
        return [each for each in self._exchanges if not each.ended]

    def _answer(self, request: wsgi.Request, exchange: Exchange) -> None:
        answer = wsgi.call(self._application, request)
        exchange.begin(answer.status, answer.headers)
        for chunk in answer:
            if exchange.left:
                break
            exchange.put(chunk)
        answer.close()
        exchange.end()


class Pools:
    """The instances of every function: who takes the next request is chosen by chance."""

    def __init__(self, weather: Weather, hub: Hub, applications: dict[str, WSGIApplication], make: MakeApp) -> None:
        self._weather, self._hub, self._applications, self._make = weather, hub, applications, make
        self._random = random.Random(f"pools/{weather.plan.seed}")
        self._pools: dict[str, list[Instance]] = {}
        self._born = 0

    def take(self, row: FunctionRow) -> Instance:
        """An instance for a request: an old one mostly, a new one if there is none or now and then."""
        earlier = self._weather.serves_earlier(self._random, f"to {row.name}")
        others = [each for each in self._pools.get(row.name, []) if each.alive and each.earlier is not earlier]
        pool = [each for each in self._pools.get(row.name, []) if each.alive and each.earlier is earlier]
        if pool and self._random.random() < 0.02:
            pool.pop(self._random.randrange(len(pool)))  # scaled in: it ends what it has and gets no more
        if not pool or (len(pool) < 3 and self._random.random() < 0.1):
            pool.append(self._new(row, earlier))
        self._pools[row.name] = [*others, *pool]
        return pool[self._random.randrange(len(pool))]

    def living(self) -> list[Instance]:
        return [each for pool in self._pools.values() for each in pool if each.alive]

    def _new(self, row: FunctionRow, earlier: bool) -> Instance:
        self._born += 1
        name = f"{row.name}#{self._born}"
        application = self._applications[row.name]
        if earlier:
            application = earlier_application(row.name, application)
        return Instance(self._hub, row, name, application, self._make(name, earlier), earlier=earlier)


def crash(hub: Hub, instance: Instance, chance: random.Random) -> None:
    """Kill an instance; its callers see the connection break, or the front's 503. Returns only to others' tasks."""
    for exchange in instance.crash():
        broken = chance.random() < 0.5
        wait = chance.choice((0.0, 0.0, 0.5, 5.0))
        if broken:
            hub.at(wait, lambda each=exchange: each.fail(Disconnected("the instance died")), "instance died")  # type: ignore[misc]
        else:
            hub.at(wait, lambda each=exchange: each.answer(503, b"the instance died"), "instance died")  # type: ignore[misc]
    here: Task | None = hub.current
    if here is not None and here.owner is instance:
        hub.die()
