"""The Listen method: one stream, its targets, and the change log that drives them."""

from __future__ import annotations

import queue
import sqlite3
import struct
import threading
from collections.abc import Iterator
from typing import Any

import grpc

from infra.local.firestore import wire
from infra.local.firestore.engine import Engine
from infra.local.firestore.refusals import invalid, unavailable, unimplemented
from infra.local.firestore.targets import Changed, Target, make_target
from infra.local.rpc import RpcError

IDLE_SECONDS = 30.0
_TYPE = wire.TargetChange.TargetChangeType
_POKE, _END = object(), object()


class Listening:
    """All open Listen streams of the part."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._streams: set[_Stream] = set()
        self._closed = False

    def listen(self, requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[bytes]:
        """Serve one stream until its client cancels it or the part closes."""
        stream = _Stream(self._engine)
        with self._lock:
            if self._closed:
                raise unavailable("The local cloud is closing.")
            self._streams.add(stream)
        context.add_callback(stream.end)
        self._engine.log.subscribe(stream.poke)
        threading.Thread(target=stream.pump, args=(requests,), name="firestore-listen", daemon=True).start()
        try:
            yield from stream.responses()
        finally:
            self._engine.log.unsubscribe(stream.poke)
            with self._lock:
                self._streams.discard(stream)
        if self._closed:
            raise unavailable("The local cloud is closing.")

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            self._closed = True
            for stream in self._streams:
                stream.end()


class _Stream:
    """One stream: requests, commits and the end arrive in one queue, responses leave in order."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._poked = False
        self._targets: dict[int, Target] = {}

    def poke(self) -> None:
        if not self._poked:
            self._poked = True
            self._inbox.put(_POKE)

    def end(self) -> None:
        self._inbox.put(_END)

    def pump(self, requests: Iterator[Any]) -> None:
        """Move requests into the inbox until the client has no more; runs on a thread of its own."""
        try:
            for request in requests:
                self._inbox.put(request)
        except grpc.RpcError:  # the client has cancelled; gRPC's callback ends the stream
            self.end()

    def responses(self) -> Iterator[bytes]:
        while True:
            try:
                item = self._inbox.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                continue
            if item is _END:
                return
            if item is _POKE:
                self._poked = False
                yield from self._advance(force=False)
            elif item.WhichOneof("target_change") == "remove_target":
                yield from self._remove(item.remove_target)
            else:
                yield from self._add(item.database, item.add_target)

    def _add(self, database: str, request: Any) -> Iterator[bytes]:
        if not request.target_id:
            request.target_id = max(self._targets, default=0) + 1
        try:
            if request.WhichOneof("resume_type") == "read_time":
                raise unimplemented("Resuming a target by read_time")
            if request.target_id in self._targets:
                raise invalid(f"The target id {request.target_id} is in use.")
            target = make_target(self._engine, database, request)
        except RpcError as error:
            yield _refusal(request.target_id, error)
            return
        yield _target_change(_TYPE.ADD, target.id)
        with self._engine.store.snapshot() as connection:
            seq, token = _newest(connection)
            resume = _resume_seq(connection, request.resume_token)
            first = list(target.begin(connection, seq, resume))
        if request.resume_token and resume is None:
            yield _target_change(_TYPE.RESET, target.id)
        yield from first
        yield _target_change(_TYPE.CURRENT, target.id, token=token, read_time=self._now())
        self._targets[target.id] = target
        yield from self._advance(force=True)
        if request.once:
            yield from self._remove(target.id)

    def _remove(self, target_id: int) -> Iterator[bytes]:
        if self._targets.pop(target_id, None) is not None:
            yield _target_change(_TYPE.REMOVE, target_id)

    def _advance(self, *, force: bool) -> Iterator[bytes]:
        """Tell every target what changed, then that all of them are at one state."""
        if not self._targets:
            return
        for target in self._targets.values():
            target.prepare()
        read_time = self._now()
        with self._engine.store.snapshot() as connection:
            seq, token = _newest(connection)
            found = [each for target in self._targets.values() for each in self._news(connection, target, seq)]
        yield from found
        if found or force:
            yield _target_change(_TYPE.NO_CHANGE, token=token, read_time=read_time)

    def _news(self, connection: sqlite3.Connection, target: Target, seq: int) -> Iterator[bytes]:
        if target.seq < seq:
            sql = "SELECT name, new FROM changes WHERE seq > ? ORDER BY seq"
            changed: Changed = dict(connection.execute(sql, (target.seq,)).fetchall())
            yield from target.advance(connection, seq, changed)

    def _now(self) -> Any:
        return wire.timestamp_of(self._engine.committer.read_micros())


def _target_change(kind: int, *target_ids: int, token: bytes = b"", read_time: Any = None) -> bytes:
    change = wire.TargetChange(target_change_type=kind, target_ids=target_ids, resume_token=token, read_time=read_time)
    return wire.splice(2, change.SerializeToString())


def _refusal(target_id: int, error: RpcError) -> bytes:
    change = wire.TargetChange(target_change_type=_TYPE.REMOVE, target_ids=[target_id])
    change.cause.code, change.cause.message = error.code.value[0], error.message
    return wire.splice(2, change.SerializeToString())


def _newest(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """The newest place in the log, 0 before the first change, and its resume token.

    The token is the place and the commit time there, which tells one log from another.
    """
    row = connection.execute("SELECT seq, commit_time FROM changes ORDER BY seq DESC LIMIT 1").fetchone() or (0, 0)
    return row[0], struct.pack(">QQ", *row)


def _resume_seq(connection: sqlite3.Connection, token: bytes) -> int | None:
    """The place a token names, None when there is no token or this log does not reach back to it."""
    if len(token) != 16:
        return None
    seq, commit_time = struct.unpack(">QQ", token)
    if seq == 0:
        first = connection.execute("SELECT min(seq) FROM changes").fetchone()[0]
        return 0 if first in (None, 1) else None
    there = connection.execute("SELECT 1 FROM changes WHERE seq = ? AND commit_time = ?", (seq, commit_time)).fetchone()
    return seq if there else None
