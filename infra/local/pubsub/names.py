"""Resource names of Pub/Sub, and the refusals that speak of them in production's words."""

from __future__ import annotations

import re

import grpc

from infra.local.rpc import RpcError

DELETED_TOPIC = "_deleted-topic_"
_NAME = re.compile(r"projects/([^/]+)/(topics|subscriptions)/([A-Za-z][A-Za-z0-9\-_.~+%]{2,254})")
_HELP = "https://cloud.google.com/pubsub/docs/pubsub-basics#resource_names"


def check_name(name: str, kind: str) -> str:
    """`name` when it names a resource of `kind` ("topics" or "subscriptions"); else INVALID_ARGUMENT."""
    match = _NAME.fullmatch(name)
    if match is None or match[2] != kind or match[3].startswith("goog"):
        raise invalid(f"Invalid [{kind}] name: (name={name}). Refer to {_HELP} for more information.")
    return name


def check_project(name: str) -> str:
    """`name` when it is of the form projects/ID; else INVALID_ARGUMENT."""
    if re.fullmatch(r"projects/[^/]+", name) is None:
        raise invalid(f"Invalid resource name given (name={name}). Refer to {_HELP} for more information.")
    return name


def short(name: str) -> str:
    """The last part of a resource name, by which production's messages call it."""
    return name.rsplit("/", 1)[-1]


def not_found(name: str) -> RpcError:
    return RpcError(grpc.StatusCode.NOT_FOUND, f"Resource not found (resource={short(name)}).")


def already_exists(name: str) -> RpcError:
    return RpcError(grpc.StatusCode.ALREADY_EXISTS, f"Resource already exists in the project (resource={short(name)}).")


def invalid(message: str) -> RpcError:
    return RpcError(grpc.StatusCode.INVALID_ARGUMENT, message)


def unsupported(feature: str) -> RpcError:
    return RpcError(grpc.StatusCode.UNIMPLEMENTED, f"{feature} is not implemented by the local cloud.")
