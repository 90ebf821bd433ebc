"""The methods Commit, BatchWrite, BeginTransaction and Rollback."""

from __future__ import annotations

from typing import Any

import grpc

from infra.local.firestore import wire
from infra.local.firestore.engine import Engine
from infra.local.firestore.refusals import invalid
from infra.local.firestore.sizes import check_request
from infra.local.firestore.writes import target_of
from infra.local.rpc import RpcError

MAX_BATCH_WRITES = 500


class Commits:
    """The writing methods of the service."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def commit(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        check_request(request)
        committed = self._engine.commit(request.database, request.writes, request.transaction)
        response = wire.message("CommitResponse")(
            write_results=committed.results, commit_time=wire.timestamp_of(committed.micros)
        )
        return bytes(response.SerializeToString())

    def batch_write(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        """Each write on its own: some may fail and others succeed; a malformed one fails all."""
        check_request(request)
        if len(request.writes) > MAX_BATCH_WRITES:
            raise invalid(f"maximum {MAX_BATCH_WRITES} writes allowed per request")
        targets = [target_of(write) for write in request.writes]
        if len(set(targets)) != len(targets):
            raise invalid("Cannot write to the same document more than once in a BatchWrite.")
        self._engine.committer.check(request.database, request.writes)
        response = wire.message("BatchWriteResponse")()
        for write in request.writes:
            result, status = response.write_results.add(), response.status.add()
            try:
                result.CopyFrom(self._engine.commit_checked([write]).results[0])
            except RpcError as error:
                status.code, status.message = error.code.value[0], error.message
        return bytes(response.SerializeToString())

    def begin(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        return wire.splice(1, self._engine.begin(request.options).id)

    def rollback(self, request: Any, _context: grpc.ServicerContext) -> bytes:
        self._engine.transactions.rollback(request.transaction)
        return b""
