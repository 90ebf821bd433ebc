"""One Firestore of the two: raw requests in, comparable answers out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from google.rpc import code_pb2

from infra.local.firestore import wire
from tests.contract.parity.plain import plain, plain_stream

STREAMS = {"RunQuery", "RunAggregationQuery", "BatchGetDocuments"}
DEADLINE_SECONDS = 20
LAST_KNOWN = wire.Timestamp(seconds=7)
"""In a precondition: the update time this server last told of the document."""
LAST_TRANSACTION = b"last"
"""In a request: the transaction this server last began."""
MOMENTS, JUST_BEFORE = 1_000, 2_000
"""In a request, as seconds of a read time: when this server made its first, second … commit, or just before that."""
_EMPTY_RESPONSES = {"DeleteDocument", "Rollback"}
_DOCUMENT_RESPONSES = {"GetDocument", "CreateDocument", "UpdateDocument"}


@dataclass(frozen=True)
class Answer:
    """The gRPC code, and what came with it when that is OK; `text` is not compared."""

    code: str
    content: Any = None
    text: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and (self.code, self.content) == (other.code, other.content)

    def __hash__(self) -> int:
        return hash(self.code)


class Side:
    """A connection. Where a query wants an index, the one that the refusal names is declared and the query repeated."""

    def __init__(self, address: str, indexes: Path | None = None) -> None:
        self._channel = grpc.insecure_channel(
            address, options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        )
        self._declared = None if indexes is None else Declared(indexes)
        self._known: dict[str, Any] = {}
        self._transaction = b""
        self.commit_times: list[Any] = []

    def close(self) -> None:
        self._channel.close()

    def fresh(self) -> None:
        """Forget what was told of documents, transactions and times."""
        self._known.clear()
        self._transaction = b""
        self.commit_times.clear()

    def ask(self, method: str, request: Any) -> Answer:
        """The answer to one request, in which LAST_KNOWN, LAST_TRANSACTION and moments are filled in."""
        request = self._filled(request)
        for _ in range(40):
            answer = self._asked(method, request)
            if self._declared is None or "requires an index" not in answer.text:
                return answer
            self._declared.add(answer.text)
        return Answer("INDEX_OF_NO_HELP", text=answer.text)

    def _asked(self, method: str, request: Any) -> Answer:
        try:
            messages = self._call(method, request)
        except grpc.RpcError as error:
            return Answer(error.code().name, text=error.details() or "")
        for message in messages:
            self._learn(message)
        return Answer("OK", _content(method, messages))

    def _call(self, method: str, request: Any) -> list[Any]:
        path = f"/google.firestore.v1.Firestore/{method}"
        metadata = (("authorization", "Bearer owner"),)
        codecs = {"request_serializer": type(request).SerializeToString, "response_deserializer": _response(method)}
        if method in STREAMS:
            return list(self._channel.unary_stream(path, **codecs)(request, DEADLINE_SECONDS, metadata))
        return [self._channel.unary_unary(path, **codecs)(request, DEADLINE_SECONDS, metadata)]

    def _filled(self, request: Any) -> Any:
        copy = type(request)()
        copy.CopyFrom(request)
        if getattr(copy, "transaction", b"") == LAST_TRANSACTION:
            copy.transaction = self._transaction or b"none"
        self._fill_options(copy)
        for each in getattr(copy, "writes", [copy]):
            condition = getattr(each, "current_document", None)
            if condition is not None and condition.update_time == LAST_KNOWN:
                condition.update_time.CopyFrom(self._known.get(_written(each), LAST_KNOWN))
        return copy

    def _fill_options(self, request: Any) -> None:
        for field in ("options", "new_transaction"):
            options = getattr(request, field, None)
            if options is not None and options.read_write.retry_transaction == LAST_TRANSACTION:
                options.read_write.retry_transaction = self._transaction or b"none"
            if options is not None and options.read_only.HasField("read_time"):
                self._fill_moment(options.read_only.read_time)
        if "read_time" in request.DESCRIPTOR.fields_by_name and request.HasField("read_time"):
            self._fill_moment(request.read_time)

    def _fill_moment(self, moment: Any) -> None:
        base = next((base for base in (JUST_BEFORE, MOMENTS) if base <= moment.seconds < base + 1_000), None)
        if base is None or not self.commit_times:
            return
        told = self.commit_times[(moment.seconds - base) % len(self.commit_times)]
        nanos = told.seconds * 10**9 + told.nanos + moment.nanos - (1_000 if base == JUST_BEFORE else 0)
        moment.seconds, moment.nanos = divmod(nanos, 10**9)

    def _learn(self, message: Any) -> None:
        if getattr(message, "transaction", b""):
            self._transaction = message.transaction
        if "commit_time" in message.DESCRIPTOR.fields_by_name and message.HasField("commit_time"):
            self.commit_times.append(message.commit_time)
        found = getattr(message, "found", None)
        if found is not None and found.name:
            self._known[found.name] = found.update_time


def _written(request: Any) -> str:
    """The name of the document that a write, or a request that is one, is about."""
    if hasattr(request, "transform"):
        return str(request.delete or request.update.name or request.transform.document)
    return str(request.document.name if hasattr(request, "document") else request.name)


class Declared:
    """The file of declared indexes, which grows."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._content: dict[str, list[Any]] = {"indexes": [], "fieldOverrides": []}

    def add(self, text: str) -> None:
        """Declare what an error text asks for."""
        wanted = json.loads(text[text.index("{") :])
        if "indexes" not in wanted:
            self._content["indexes"].append(wanted)
        else:
            key = (wanted["collectionGroup"], wanted["fieldPath"])
            same = [o for o in self._content["fieldOverrides"] if (o["collectionGroup"], o["fieldPath"]) == key]
            if same:
                same[0]["indexes"] += [each for each in wanted["indexes"] if each not in same[0]["indexes"]]
            else:
                self._content["fieldOverrides"].append(wanted)
        self._file.write_text(json.dumps(self._content))


def _response(method: str) -> Any:
    if method in _DOCUMENT_RESPONSES:
        return wire.Document.FromString
    if method in _EMPTY_RESPONSES:
        return wire.Timestamp.FromString  # an empty message, whatever its type
    return wire.message(f"{method}Response").FromString


def _content(method: str, messages: list[Any]) -> Any:
    if method == "BatchWrite":
        codes = [code_pb2.Code.Name(status.code) for status in messages[0].status]
        return {"codes": codes, "results": plain(messages[0]).get("write_results", [])}
    if method == "BatchGetDocuments":
        told = [each for each in plain_stream(messages) if "found" in each or "missing" in each]
        return sorted(told, key=lambda each: str(each.get("missing") or each["found"]["name"]))
    if method in STREAMS:
        return [each for each in plain_stream(messages) if set(each) - {"read_time", "transaction"}]
    return plain(messages[0])
