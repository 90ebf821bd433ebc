"""A database whose commits go wrong as told, one entry of the plan for each commit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import datetime

from google.cloud.firestore_v1 import Client

from shared.clock import Clock
from shared.store.database import Database
from shared.store.errors import Contention, Uncertain
from shared.store.writes import Write

Fault = str | Callable[[], None]


class FlakyDatabase(Database):
    """Faults: "good", "dropped" (not applied, no answer), "lost" (applied, no answer), "aborted", or a call to make
    after an applied commit whose answer is then lost."""

    def __init__(self, client: Client, root: str, clock: Clock, plan: Iterable[Fault]) -> None:
        super().__init__(client, root, clock, random.Random(0))
        self._plan = iter(plan)
        self.commits = 0

    def commit(self, writes: Iterable[Write], point: str) -> datetime:
        self.commits += 1
        fault = next(self._plan, "good")
        if fault == "dropped":
            raise Uncertain("dropped")
        if fault == "aborted":
            raise Contention("aborted")
        moment = super().commit(writes, point)
        if fault == "good":
            return moment
        if callable(fault):
            fault()
        raise Uncertain("the answer was lost")
