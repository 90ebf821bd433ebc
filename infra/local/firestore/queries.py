"""The methods RunQuery and RunAggregationQuery."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc

from infra.local.firestore import wire
from infra.local.firestore.aggregate import aggregate, aggregated_plan, only_counts
from infra.local.firestore.documents import projected
from infra.local.firestore.engine import Engine, View
from infra.local.firestore.execute import Row
from infra.local.firestore.nearest import Nearest, find_nearest, make_nearest
from infra.local.firestore.plan import Plan
from infra.local.firestore.planner import make_plan
from infra.local.firestore.refusals import unimplemented
from infra.local.firestore.transactions import record_query

ENTRIES_PER_READ = 1000
VECTORS_PER_READ = 100
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
        query = request.structured_query
        nearest = make_nearest(query) if query.HasField("find_nearest") else None
        plan = self._plan(request, query, nearest)
        with self._engine.view(request, plan=plan) as view:
            bodies = [row.body for row in self._rows(view, plan)]
            read_time = wire.splice(3, self._engine.read_timestamp(view).SerializeToString())
        entries = plan.offset
        if nearest is not None:
            bodies, compared = find_nearest(bodies, nearest)
            entries = -(-compared // VECTORS_PER_READ)
        self._engine.meter.add("firestore", "document_reads", max(1, len(bodies) + entries))
        if plan.projection is not None:
            bodies = [projected(body, plan.projection) for body in bodies]
        if view.begun:
            yield wire.splice(2, view.begun)
        if not bodies:
            yield read_time + _DONE
            return
        for body, tail in zip(bodies, _tails(read_time, plan.offset, len(bodies)), strict=True):
            yield wire.splice(1, body) + tail

    def aggregate(self, request: Any, _context: grpc.ServicerContext) -> Iterator[bytes]:
        query = request.structured_aggregation_query
        if query.structured_query.HasField("find_nearest"):
            raise unimplemented("find_nearest in an aggregation")
        plan = self._plan(request, query.structured_query, aggregations=query.aggregations)
        with self._engine.view(request, plan=plan) as view:
            if view.transaction is None and only_counts(query.aggregations):
                count, bodies = self._engine.executor.count(view.connection, plan, view.seq), []
            else:
                bodies = [row.body for row in self._rows(view, plan)]
                count = len(bodies)
            read_timestamp = self._engine.read_timestamp(view)
        self._engine.meter.add("firestore", "document_reads", max(1, -(-count // ENTRIES_PER_READ)))
        response = wire.message("RunAggregationQueryResponse")(
            result=aggregate(count, bodies, query.aggregations),
            read_time=read_timestamp,
            transaction=view.begun,
        )
        yield response.SerializeToString()

    def _plan(self, request: Any, query: Any, nearest: Nearest | None = None, aggregations: Any = None) -> Plan:
        if request.HasField("explain_options"):
            raise unimplemented("explain_options")
        plan = make_plan(request.parent, query)
        if aggregations is not None:
            plan = aggregated_plan(plan, query, aggregations)
        if nearest is None:
            self._engine.rules.check(plan)
        else:
            self._engine.rules.check_vector(plan, nearest.path, len(nearest.vector))
        self._engine.executor.prepare(plan)
        return plan

    def _rows(self, view: View, plan: Plan) -> list[Row]:
        rows = self._engine.executor.run(view.connection, plan, view.seq)
        if view.transaction is not None:
            record_query(view.transaction, plan, [row.body for row in rows])
        return rows
