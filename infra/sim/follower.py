"""A page that follows an operation by server-sent events: it is cut off, and comes back with what it remembers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from infra.sim import wsgi
from infra.sim.exchange import Disconnected
from infra.sim.people import AUTHORIZED
from infra.sim.world import World

_VISITS = 400


@dataclass
class Followed:
    """What a client has of a stream: the whole frames it got, in the order of their coming."""

    operation: str
    seqs: list[int] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    whole: bool = False
    """It saw the terminal event."""
    refused: list[str] = field(default_factory=list)
    """Answers to ids that are no ids of this stream, if they were not refused."""


class Follower:
    """Follows one operation until its terminal event."""

    def __init__(self, world: World, operation: str, name: str) -> None:
        self._world, self._hub = world, world.hub
        self._chance = random.Random(f"{name}/{world.plan.seed}")
        self.followed = Followed(operation)
        self.marks: list[str] = []
        self._inside = False

    def follow(self) -> None:
        """Visit after visit, each with the id of the last whole frame."""
        for _ in range(_VISITS):
            try:
                if self._visit():
                    self.followed.whole = True
                    return
            except Disconnected:
                self.marks.append("stream broke")
            self._hub.sleep(self._chance.choice((0.0, 2.0, 20.0, 90.0)))

    def _visit(self) -> bool:
        cursor = self.followed.seqs[-1] if self.followed.seqs else None
        cut = self._world.weather.happens("client", "stream", 3.0)
        if cut and cut.random() < 0.4:
            self._with_a_wrong_id(cut)
        headers = {**AUTHORIZED, "Accept": "text/event-stream"}
        if cursor is not None:
            headers["Last-Event-ID"] = str(cursor)
            self.marks.append("resumed")
        exchange = self._world.front.open("api", self._request(headers))
        if exchange.head() != 200:
            return False
        patience = cut.randint(1, 3_000) if cut else None
        for frame in self._frames(exchange.chunks(), patience):
            if self._take(frame):
                return True
        exchange.leave()
        return False

    def _frames(self, chunks: Iterator[bytes], patience: int | None) -> Iterator[str]:
        """Whole frames; with `patience` the connection is cut after so many bytes, wherever in a frame that is."""
        text = ""
        for chunk in chunks:
            piece = chunk.decode()
            if patience is not None and len(piece) > patience:
                text += piece[:patience]
                whole, _, rest = text.rpartition("\n\n")
                yield from (frame for frame in whole.split("\n\n") if frame)
                self._inside = bool(rest)
                self.marks.append("cut mid-frame" if rest else "cut after a frame")
                return
            if patience is not None:
                patience -= len(piece)
            text += piece
            *whole_ones, text = text.split("\n\n")
            yield from whole_ones

    def _take(self, frame: str) -> bool:
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if ": " in line and not line.startswith(":"))
        if "data" not in fields:
            return False
        envelope = json.loads(fields["data"])
        self.followed.seqs.append(envelope["seq"])
        self.followed.types.append(envelope["type"])
        if self._inside:
            self.marks.append("resumed mid-frame")
            self._inside = False
        return envelope["type"] in ("completed", "failed", "cancelled")

    def _with_a_wrong_id(self, chance: random.Random) -> None:
        """An id of the future, or of another stream, is refused; an old one repeats what came after it."""
        wrong = chance.choice(("99999", "op_other-3", "-1", "1e3"))
        exchange = self._world.front.open("api", self._request({**AUTHORIZED, "Last-Event-ID": wrong}))
        status = exchange.head()
        exchange.leave()
        if status < 400:
            self.followed.refused.append(f"Last-Event-ID {wrong} was answered with {status}")
        elif status == 400:
            self.marks.append("foreign id refused")

    def _request(self, headers: dict[str, str]) -> wsgi.Request:
        return wsgi.Request("GET", f"/api/v1/operations/{self.followed.operation}/events", headers)
