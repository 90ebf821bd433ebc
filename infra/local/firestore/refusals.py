"""The refusals of the service, one constructor per gRPC status, so that callers read as sentences."""

from __future__ import annotations

import grpc

from infra.local.rpc import RpcError


def invalid(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.INVALID_ARGUMENT, message)


def not_found(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.NOT_FOUND, message)


def already_exists(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.ALREADY_EXISTS, message)


def failed_precondition(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.FAILED_PRECONDITION, message)


def aborted(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.ABORTED, message)


def unimplemented(what: str) -> RpcError:
    return RpcError(grpc.StatusCode.UNIMPLEMENTED, f"{what} is not implemented by the local cloud")


def unavailable(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.UNAVAILABLE, message)
