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

    def close(self) -> None:
        self._channel.close()

    def fresh(self) -> None:
        """Forget what was told of documents and transactions."""
        self._known.clear()
        self._transaction = b""

    def ask(self, method: str, request: Any) -> Answer:
        """The answer to one request, in which LAST_KNOWN and LAST_TRANSACTION are filled in."""
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
        for write in getattr(copy, "writes", ()):
            if write.current_document.update_time == LAST_KNOWN:
                name = write.delete or write.update.name or write.transform.document
                write.current_document.update_time.CopyFrom(self._known.get(name, LAST_KNOWN))
        return copy

    def _learn(self, message: Any) -> None:
        if getattr(message, "transaction", b""):
            self._transaction = message.transaction
        found = getattr(message, "found", None)
        if found is not None and found.name:
            self._known[found.name] = found.update_time


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
