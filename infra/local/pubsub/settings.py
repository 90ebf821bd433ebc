"""What a subscription may be set to: production's defaults, bounds and refusals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration

from infra.local.pubsub.filters import compile_filter
from infra.local.pubsub.names import invalid, unsupported
from infra.local.rpc import RpcError

MUTABLE = frozenset(
    {
        "ack_deadline_seconds",
        "push_config",
        "message_retention_duration",
        "labels",
        "dead_letter_policy",
        "retry_policy",
    }
)
_REFUSED_FIELDS = (
    "bigquery_config",
    "cloud_storage_config",
    "bigtable_config",
    "retain_acked_messages",
    "expiration_policy",
    "enable_exactly_once_delivery",
    "message_transforms",
)


def complete(config: Any) -> None:
    """Fill in the defaults, in place; INVALID_ARGUMENT or UNIMPLEMENTED for what is not taken."""
    _refuse_unsupported(config)
    config.ack_deadline_seconds = config.ack_deadline_seconds or 10
    if not 10 <= config.ack_deadline_seconds <= 600:
        raise _out_of_bounds("ack_deadline_seconds", config.ack_deadline_seconds, "10 and 600")
    if not config.HasField("message_retention_duration"):
        config.message_retention_duration.CopyFrom(Duration(seconds=7 * 86400))
    _check_duration(config.message_retention_duration, "message_retention_duration", 600, 31 * 86400)
    config.push_config.SetInParent()  # pull is an empty push_config, in production's answers too
    config.expiration_policy.SetInParent()  # without a ttl: it never expires, and here that is so
    compile_filter(config.filter)
    _complete_dead_letters(config)
    _complete_retry(config)
    _check_push(config)


def _refuse_unsupported(config: Any) -> None:
    present = {descriptor.name for descriptor, _ in config.ListFields()}
    for name in _REFUSED_FIELDS:
        if name in present and not (name == "expiration_policy" and not config.expiration_policy.HasField("ttl")):
            raise unsupported(f"Subscription.{name}")
    if config.push_config.HasField("no_wrapper"):
        raise unsupported("Subscription.push_config.no_wrapper")


def _complete_dead_letters(config: Any) -> None:
    if not config.HasField("dead_letter_policy"):
        return
    policy = config.dead_letter_policy
    policy.max_delivery_attempts = policy.max_delivery_attempts or 5
    given = policy.max_delivery_attempts
    if given < 5:
        raise _out_of_range(f"small. You passed {given} in the request, but the minimum value is 5.")
    if given > 100:
        raise _out_of_range(f"large. You passed {given} in the request, but the maximum value is 100.")


def _complete_retry(config: Any) -> None:
    if not config.HasField("retry_policy"):
        return
    policy = config.retry_policy
    for name, seconds in (("minimum_backoff", 10), ("maximum_backoff", 600)):
        if not policy.HasField(name):
            getattr(policy, name).CopyFrom(Duration(seconds=seconds))
        _check_duration(getattr(policy, name), name, 0, 600)
    least, most = policy.minimum_backoff.ToTimedelta(), policy.maximum_backoff.ToTimedelta()
    if most < least:
        given, bound = f"{most.total_seconds():g}s", f"{least.total_seconds():g}s"
        raise invalid(
            f"The value for maximum_backoff is too small. You passed {given} in the request, "
            f"but the minimum value is {bound}."
        )


def _check_push(config: Any) -> None:
    endpoint = config.push_config.push_endpoint
    if endpoint and not endpoint.startswith(("http://", "https://")):
        raise invalid(f"Invalid push endpoint given (endpoint={endpoint}).")


def _check_duration(value: Any, name: str, least: int, most: int) -> None:
    duration = value.ToTimedelta()
    if not timedelta(seconds=least) <= duration <= timedelta(seconds=most):
        raise _out_of_bounds(name, f"{duration.total_seconds():g}s", f"{least}s and {most}s")


def _out_of_range(rest: str) -> Exception:
    return RpcError(grpc.StatusCode.OUT_OF_RANGE, f"The value for max_delivery_attempts is too {rest}")


def _out_of_bounds(name: str, value: object, bounds: str) -> Exception:
    return invalid(
        f"The value for {name} is out of bounds. You passed {value} in the request, "
        f"but the value must be between {bounds}."
    )
