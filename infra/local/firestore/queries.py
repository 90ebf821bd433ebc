"""The methods RunQuery and RunAggregationQuery."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc

from infra.local.firestore import wire
from infra.local.firestore.aggregate import aggregate, aggregated_plan
from infra.local.firestore.documents import projected
from infra.local.firestore.engine import Engine, View
from infra.local.firestore.execute import Row
from infra.local.firestore.plan import Plan
from infra.local.firestore.planner import make_plan
from infra.local.firestore.refusals import unimplemented
from infra.local.firestore.transactions import record_query

ENTRIES_PER_READ = 1000
_DONE = b"\x30\x01"
_SKIPPED = b"\x20"


def _tails(read_time: bytes, skipped: int, count: int) -> list[bytes]:
    """What follows the document in each response: the first says how many were skipped, the last that it is last."""
    tails = [read_time] * count
    if skipped:
        tails[0] += _SKIPPED + wire.varint(skipped)
    tails[-1] += _DONE
    return tails


class Queries:
    """The query methods of the service."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, request: Any, _context: grpc.ServicerContext) -> Iterator[bytes]:
        plan = self._plan(request, request.structured_query)
        with self._engine.view(request) as view:
            rows = self._rows(view, plan)
            read_time = wire.splice(3, self._engine.read_timestamp(view).SerializeToString())
        self._engine.meter.add("firestore", "document_reads", max(1, len(rows) + plan.offset))
        if view.begun:
            yield wire.splice(2, view.begun)
        if not rows:
            yield read_time + _DONE
            return
        tails = _tails(read_time, plan.offset, len(rows))
        if plan.projection is None:
            for row, tail in zip(rows, tails, strict=True):
                yield wire.splice(1, row.body) + tail
        else:
            for row, tail in zip(rows, tails, strict=True):
                yield wire.splice(1, projected(row.body, plan.projection)) + tail

    def aggregate(self, request: Any, _context: grpc.ServicerContext) -> Iterator[bytes]:
        query = request.structured_aggregation_query
        plan = aggregated_plan(self._plan(request, query.structured_query, check=False), query.aggregations)
        self._engine.rules.check(plan)
        self._engine.executor.prepare(plan)
        with self._engine.view(request) as view:
            rows = self._rows(view, plan)
            read_timestamp = self._engine.read_timestamp(view)
        self._engine.meter.add("firestore", "document_reads", max(1, -(-len(rows) // ENTRIES_PER_READ)))
        response = wire.message("RunAggregationQueryResponse")(
            result=aggregate([row.body for row in rows], query.aggregations),
            read_time=read_timestamp,
            transaction=view.begun,
        )
        yield response.SerializeToString()

    def _plan(self, request: Any, query: Any, *, check: bool = True) -> Plan:
        if request.HasField("explain_options"):
            raise unimplemented("explain_options")
        if query.HasField("find_nearest"):
            raise unimplemented("find_nearest")
        plan = make_plan(request.parent, query)
        if check:
            self._engine.rules.check(plan)
            self._engine.executor.prepare(plan)
        return plan

    def _rows(self, view: View, plan: Plan) -> list[Row]:
        rows = self._engine.executor.run(view.connection, plan, view.seq)
        if view.transaction is not None:
            record_query(view.transaction, plan, [row.body for row in rows])
        return rows
