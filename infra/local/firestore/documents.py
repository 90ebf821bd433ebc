"""The methods about documents by name: get, batch get, list, create, update, delete, list collections."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import grpc

from infra.local.firestore import fieldpath, names, wire
from infra.local.firestore.engine import Engine, View
from infra.local.firestore.fieldpath import FieldPath
from infra.local.firestore.refusals import invalid, not_found

Mask = list[FieldPath] | None


def mask_of(request: Any) -> Mask:
    """The fields a request wants to see, None for all. Raises INVALID_ARGUMENT."""
    if not request.HasField("mask"):
        return None
    return [fieldpath.parse_queried(path) for path in request.mask.field_paths]


def masked(body: bytes, mask: Mask) -> bytes:
    """The serialized document, cut down to the mask if there is one."""
    return body if mask is None else projected(body, mask)


def projected(body: bytes, paths: list[FieldPath] | tuple[FieldPath, ...]) -> bytes:
    """The serialized document with only the fields at `paths`."""
    source = wire.parse_document(body)
    target = wire.Document(name=source.name, create_time=source.create_time, update_time=source.update_time)
    fieldpath.project(source.fields, paths, target.fields)
    return wire.serialize(target)


class Documents:
    """The document methods of the service."""

    def __init__(self, engine: Engine, new_id: Any) -> None:
        self._engine, self._new_id = engine, new_id

    def get(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        mask = mask_of(request)
        with self._engine.view(request, [request.name]) as view:
            body = self._body(view, request.name)
        self._count_reads(1)
        if body is None:
            raise not_found(f'Document "{request.name}" not found.')
        return masked(body, mask)

    def batch_get(self, request: Any, _context: grpc.ServicerContext) -> Iterator[bytes]:
        found, mask = [], mask_of(request)
        with self._engine.view(request, request.documents) as view:
            for name in dict.fromkeys(request.documents):
                if not name.startswith(request.database + "/documents/"):
                    raise invalid(f'The document "{name}" is not in the database "{request.database}".')
                found.append((name, self._body(view, name)))
            read_time = wire.splice(4, self._engine.read_timestamp(view).SerializeToString())
        self._count_reads(len(found))
        if view.begun:
            yield wire.splice(3, view.begun) + (b"" if found else read_time)
        for name, body in found:
            if body is None:
                yield wire.splice(2, name.encode()) + read_time
            else:
                yield wire.splice(1, masked(body, mask)) + read_time

    def create(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        parent, mask = names.parse_parent(request.parent), mask_of(request)
        names.check_id(request.collection_id, request.collection_id)
        name = f"{request.parent}/{request.collection_id}/{request.document_id or self._new_id()}"
        write = wire.Write(update=request.document)
        write.update.name = name
        write.current_document.exists = False
        self._engine.commit(parent.database, [write])
        return masked(self._current(name), mask)

    def update(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        write, mask = wire.Write(update=request.document), mask_of(request)
        if request.HasField("update_mask"):
            write.update_mask.CopyFrom(request.update_mask)
        if request.HasField("current_document"):
            write.current_document.CopyFrom(request.current_document)
        self._engine.commit(names.parse(request.document.name).database, [write])
        return masked(self._current(request.document.name), mask)

    def delete(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        write = wire.Write(delete=request.name)
        if request.HasField("current_document"):
            write.current_document.CopyFrom(request.current_document)
        self._engine.commit(names.parse(request.name).database, [write])
        return b""

    def list_collection_ids(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        parent = names.parse_parent(request.parent)
        below = len(parent.segments)
        found = set()
        with self._engine.view(request) as view:
            for collection in self._engine.store.collections():
                path = names.parse(collection.name)
                if path.database != parent.database or path.segments[:below] != parent.segments:
                    continue
                if path.segments[below] in found:
                    continue
                if self._engine.store.has_documents(view.connection, collection, view.seq):
                    found.add(path.segments[below])
        self._count_reads(1)
        ordered, token = _page(sorted(found, key=names.segment_key), names.segment_key, request)
        response = wire.message("ListCollectionIdsResponse")(collection_ids=ordered, next_page_token=token)
        return bytes(response.SerializeToString())

    def _body(self, view: View, name: str) -> bytes | None:
        if view.transaction is not None and not view.transaction.read_only:
            view.transaction.names.add(name)
        return self._engine.store.body_at(view.connection, name, view.seq)

    def _current(self, name: str) -> bytes:
        body = self._engine.store.body(self._engine.store.db.read(), name)
        if body is None:  # deleted by another since
            raise not_found(f'Document "{name}" not found.')
        return body

    def _count_reads(self, amount: int) -> None:
        self._engine.meter.add("firestore", "document_reads", max(1, amount))


def _page(ordered: list[str], key: Any, request: Any) -> tuple[list[str], str]:
    """The page a token and a size ask for, and the token of the next."""
    if request.page_token:
        after = decode_token(request.page_token)
        ordered = [each for each in ordered if key(each) > after]
    size = page_size(request) or len(ordered)
    page = ordered[:size]
    return page, encode_token(key(page[-1])) if len(ordered) > size else ""


def page_size(request: Any) -> int:
    """How many a page may hold, 0 for the server's choice. Raises INVALID_ARGUMENT."""
    if request.page_size < 0:
        raise invalid("page_size must be greater than or equal to zero.")
    return int(request.page_size)


def encode_token(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode()


def decode_token(token: str) -> bytes:
    """The key in a page token. Raises INVALID_ARGUMENT."""
    try:
        return base64.b64decode(token.encode(), altchars=b"-_", validate=True)
    except ValueError as error:
        raise invalid("The page token is invalid.") from error
