"""The method ListDocuments: one collection, page by page, with missing parents if asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import grpc

from infra.local.firestore import names, wire
from infra.local.firestore.documents import decode_token, encode_token, mask_of, masked, page_size
from infra.local.firestore.engine import Engine, View
from infra.local.firestore.names import Path
from infra.local.firestore.plan import Cut
from infra.local.firestore.planner import make_plan
from infra.local.firestore.refusals import invalid, unimplemented
from infra.local.firestore.transactions import record_query

DEFAULT_PAGE = 300
_ORDER = re.compile(r"\s*(\S+)(?:\s+(asc|desc))?\s*", re.IGNORECASE)


class Listing:
    """The listing method of the service."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list_documents(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        parent = names.parse_parent(request.parent)
        if not request.collection_id:
            raise unimplemented("Listing all collections, without a collection id,")
        size, mask = page_size(request) or DEFAULT_PAGE, mask_of(request)
        plan = make_plan(request.parent, _query(request))
        self._engine.rules.check(plan)
        self._engine.executor.prepare(plan)
        after = decode_token(request.page_token) if request.page_token else b""
        start = Cut(after, after=True) if after else None
        plan = replace(plan, start=start, limit=size + 1)
        with self._engine.view(request, plan=plan) as view:
            rows = {row.sort_key: row.body for row in self._engine.executor.run(view.connection, plan, view.seq)}
            if view.transaction is not None:
                record_query(view.transaction, plan, list(rows.values()))
            missing = self._missing(view, parent, request, rows) if request.show_missing else {}
        rows = dict(sorted({**rows, **missing}.items())) if missing else rows
        keys = [key for key in rows if key > after]
        page = keys[:size]
        self._engine.meter.add("firestore", "document_reads", max(1, len(page)))
        response = b"".join(wire.splice(1, rows[key] if key in missing else masked(rows[key], mask)) for key in page)
        if len(page) < len(keys):
            response += wire.splice(2, encode_token(page[-1]).encode())
        return response

    def _missing(self, view: View, parent: Path, request: Any, rows: dict[bytes, bytes]) -> dict[bytes, bytes]:
        """The names of documents that do not exist but have documents below them."""
        if request.order_by:
            raise invalid("show_missing cannot be combined with order_by.")
        depth = len(parent.segments) + 1
        found = {}
        for collection in self._engine.store.collections():
            path = names.parse(collection.name)
            if path.database != parent.database or len(path.segments) <= depth:
                continue
            if path.segments[:depth] != (*parent.segments, request.collection_id):
                continue
            missing = Path(parent.database, path.segments[: depth + 1])
            if missing.key not in rows and self._engine.store.has_documents(view.connection, collection, view.seq):
                found[missing.key] = wire.serialize(wire.Document(name=missing.name))
        return found


def _query(request: Any) -> Any:
    query = wire.StructuredQuery()
    query.from_.add(collection_id=request.collection_id)
    for clause in request.order_by.split(",") if request.order_by else ():
        match = _ORDER.fullmatch(clause)
        if match is None:
            raise invalid(f'Invalid order_by clause "{clause}".')
        order = query.order_by.add()
        order.field.field_path = match[1]
        order.direction = 2 if (match[2] or "").lower() == "desc" else 1
    return query
