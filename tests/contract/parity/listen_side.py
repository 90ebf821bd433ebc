"""A listener of one Firestore: what it knows of each target once everything so far was told."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc

from infra.local.firestore import wire
from tests.contract.parity import query_cases
from tests.contract.parity.firestore_side import Answer, Side
from tests.contract.parity.listen_cases import SENTINEL, SENTINEL_TARGET, add, commit, documents_target
from tests.contract.parity.plain import plain
from tests.contract.parity.step import Step
from tests.contract.parity.values import document, placed, value

SETTLE_SECONDS = 10.0
_TYPE = wire.TargetChange.TargetChangeType
Known = dict[str, Any]
"""The fields of each document, by name."""


class ListenSide:
    """A connection with one stream at a time; `take` performs a step and answers with what is known then."""

    def __init__(self, address: str, indexes: Path | None = None) -> None:
        self.side = Side(address, indexes)
        self._channel = grpc.insecure_channel(address)
        self._project = ""
        self._stream: _Stream | None = None

    def close(self) -> None:
        self._end()
        self._channel.close()
        self.side.close()

    def begin(self, project: str) -> None:
        """A new listener, for a new project."""
        self._end()
        self.side.fresh()
        self._project, self._step = project, -1
        self._targets: dict[int, Any] = {}
        self._past: dict[tuple[int, int], tuple[bytes, Known]] = {}
        self._open()

    def take(self, step: Step) -> Answer:
        """What each target has after the step, and which targets do not have what a query gives."""
        self._step += 1
        request = placed(step.request, self._project)
        if step.method == "Commit":
            answer = self.side.ask("Commit", request)
            if answer.code != "OK":
                return answer
        elif request.WhichOneof("target_change") is None:
            self._end()
            self._open()
        elif request.remove_target:
            self._opened.send(request)
        else:
            self._add(request)
        return self._settled(request)

    def _add(self, request: Any) -> None:
        target = request.add_target
        self._targets[target.target_id] = target
        self._truth(target)  # declares the index it needs
        token, known = b"", Known()
        if target.resume_token:
            token, known = self._past.get((target.target_id, int(target.resume_token)), (b"", Known()))
        target.resume_token = token
        self._opened.known[target.target_id] = dict(known)
        self._opened.send(request)

    @property
    def _opened(self) -> _Stream:
        assert self._stream is not None
        return self._stream

    def _open(self) -> None:
        self._stream = _Stream(self._channel, f"projects/{self._project}/databases/(default)")
        first = add(SENTINEL_TARGET, documents_target([SENTINEL]), None)
        self._opened.known[SENTINEL_TARGET] = {}
        self._opened.send(placed(first.request, self._project))
        self._opened.until(lambda: SENTINEL_TARGET in self._opened.current)

    def _end(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _settled(self, request: Any) -> Answer:
        stream = self._opened
        if getattr(request, "remove_target", 0):
            stream.until(lambda: request.remove_target not in stream.known)
        elif hasattr(request, "add_target") and request.add_target.target_id:
            stream.until(lambda: request.add_target.target_id in stream.current | stream.refused.keys())
        sentinel = commit([wire.Write(update=document({"n": value(integer_value=self._step)}, SENTINEL))])
        self.side.ask("Commit", placed(sentinel.request, self._project))
        told = {"n": ["integer_value", repr(self._step)]}
        if not stream.until(lambda: stream.consistent and told in stream.known[SENTINEL_TARGET].values()):
            return Answer(stream.code or "NOT_SETTLED", text=stream.text)
        known = {number: held for number, held in stream.known.items() if number != SENTINEL_TARGET}
        for number, held in known.items():
            self._past[number, self._step] = (stream.tokens.get(number, b""), dict(held))
        wrong = [number for number, held in known.items() if held != self._truth(self._targets[number])]
        return Answer("OK", {"targets": known, "refused": stream.refused, "wrong": wrong})

    def _truth(self, target: Any) -> Known:
        """What the target ought to have, by asking for it."""
        if target.WhichOneof("target_type") == "documents":
            names = list(target.documents.documents)
            request = wire.message("BatchGetDocumentsRequest")(
                database=f"projects/{self._project}/databases/(default)", documents=names
            )
            answer = self.side.ask("BatchGetDocuments", request)
            found = [each["found"] for each in answer.content or () if "found" in each]
        else:
            answer = self.side.ask(
                "RunQuery", query_cases.run_query(target.query.parent, target.query.structured_query)
            )
            found = [each["document"] for each in answer.content or () if "document" in each]
        return {each["name"]: each.get("fields", {}) for each in found}


class _Stream:
    """One Listen call, and what its responses amount to."""

    def __init__(self, channel: grpc.Channel, database: str) -> None:
        self._requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._responses: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.known: dict[int, Known] = {}
        self.tokens: dict[int, bytes] = {}
        self.current: set[int] = set()
        self.refused: dict[int, int] = {}
        self.consistent, self.code, self.text = False, "", ""
        self._call = channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen",
            request_serializer=wire.message("ListenRequest").SerializeToString,
            response_deserializer=wire.ListenResponse.FromString,
        )(
            iter(self._requests.get, None),
            metadata=(("authorization", "Bearer owner"), ("google-cloud-resource-prefix", database)),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, request: Any) -> None:
        self.consistent = False
        self._requests.put(request)

    def close(self) -> None:
        self._requests.put(None)
        self._call.cancel()
        self._reader.join(SETTLE_SECONDS)

    def until(self, holds: Any) -> bool:
        """Take responses in until something holds; False when the time is up or the stream ends before."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while not holds():
            try:
                response = self._responses.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return False
            if response is None:
                return False
            self._take(response)
        return True

    def _read(self) -> None:
        try:
            for response in self._call:
                self._responses.put(response)
        except grpc.RpcError as error:
            self.code, self.text = error.code().name, error.details() or ""
        self._responses.put(None)

    def _take(self, response: Any) -> None:
        kind = response.WhichOneof("response_type")
        if kind == "target_change":
            self._take_target_change(response.target_change)
            return
        if kind == "filter":
            return
        self.consistent = False
        change = getattr(response, kind)
        if kind == "document_change":
            name, fields = change.document.name, plain(change.document).get("fields", {})
            for number in change.target_ids:
                self.known.setdefault(number, {})[name] = fields
        for number in change.removed_target_ids:
            self.known.get(number, {}).pop(change.document.name if kind == "document_change" else change.document, None)

    def _take_target_change(self, change: Any) -> None:
        of = list(change.target_ids) or list(self.known)
        if change.resume_token:
            self.tokens.update(dict.fromkeys(of, change.resume_token))
        if change.target_change_type == _TYPE.CURRENT:
            self.current.update(of)
        elif change.target_change_type == _TYPE.RESET:
            for number in of:
                self.known[number] = {}
        elif change.target_change_type == _TYPE.REMOVE:
            for number in of:
                self.known.pop(number, None)
                self.current.discard(number)
                if change.cause.code:
                    self.refused[number] = change.cause.code
        elif change.target_change_type == _TYPE.NO_CHANGE and not change.target_ids:
            self.consistent = True


def steps(side: ListenSide, script: list[Step], project: str) -> Iterator[Answer]:
    """The answers to a script, one by one."""
    side.begin(project)
    for step in script:
        yield side.take(step)
