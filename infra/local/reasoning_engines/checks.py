"""The checks that requests of the session service have to pass, with the service's own refusals."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from infra.local.aiplatform.errors import ApiError, invalid

SESSION = frozenset({"name", "userId", "displayName", "sessionState", "ttl", "expireTime", "labels"})
OUTPUT_ONLY = frozenset({"createTime", "updateTime"})
EVENT = frozenset(
    {
        "name",
        "author",
        "invocationId",
        "timestamp",
        "content",
        "actions",
        "eventMetadata",
        "errorCode",
        "errorMessage",
        "rawEvent",
    }
)
ACTIONS = frozenset(
    {"stateDelta", "artifactDelta", "skipSummarization", "transferAgent", "escalate", "requestedAuthConfigs"}
)
EVENT_METADATA = frozenset(
    {
        "partial",
        "turnComplete",
        "interrupted",
        "branch",
        "customMetadata",
        "longRunningToolIds",
        "groundingMetadata",
        "inputTranscription",
        "outputTranscription",
    }
)
PART = frozenset(
    {
        "text",
        "thought",
        "thoughtSignature",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
        "executableCode",
        "codeExecutionResult",
        "videoMetadata",
    }
)
MIN_TTL = timedelta(hours=24)
DEFAULT_TTL = timedelta(days=365)
LABEL_CHARACTERS = 64
_SESSION_ID = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_DURATION = re.compile(r"(\d{1,12})(\.\d{1,9})?s")
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")


def known(value: Any, names: Collection[str], where: str = "") -> Mapping[str, Any]:
    """The value as an object that has no other fields; the service knows camelCase alone."""
    if not isinstance(value, dict):
        raise invalid(
            f"Invalid JSON payload received. An object is expected{f' at {where!r}' if where else ''}.", where
        )
    for name in value:
        if name not in names:
            place = f" at '{where}'" if where else ""
            message = f'Invalid JSON payload received. Unknown name "{name}"{place}: Cannot find field.'
            raise invalid(message, f"{where}.{name}" if where else name)
    return value


def query(given: Mapping[str, str], names: Collection[str]) -> Mapping[str, str]:
    """The query parameters; those that every method of Google's takes ($alt and the like) are left out."""
    for name in given:
        if name not in names and not name.startswith("$") and name not in ("alt", "key", "prettyPrint", "fields"):
            raise invalid(
                f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter. Field '
                f"'{name}' could not be found in request message.",
                name,
            )
    return given


def session_id(text: str) -> str:
    if not _SESSION_ID.fullmatch(text):
        raise invalid(
            f"Invalid session ID {text[:100]!r}: it must have 1 to 63 characters of [a-z0-9-], begin with a letter and "
            "end with a letter or a number.",
            "session_id",
        )
    return text


def new_session(value: Any) -> Mapping[str, Any]:
    """The body of a create."""
    body = known(value, SESSION | OUTPUT_ONLY)
    if not isinstance(body.get("userId"), str) or not body["userId"]:
        raise invalid("Required field is not set: session.user_id.", "session.user_id")
    if not isinstance(body.get("displayName", ""), str):
        raise invalid("Invalid value at 'session.display_name' (TYPE_STRING).", "session.display_name")
    if not isinstance(body.get("sessionState", {}), dict):
        raise invalid("Invalid value at 'session.session_state' (a Struct).", "session.session_state")
    labels(body.get("labels", {}))
    return body


def labels(value: Any) -> None:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise invalid("Invalid value at 'session.labels' (a map of strings).", "session.labels")
    if any(len(name) > LABEL_CHARACTERS or len(text) > LABEL_CHARACTERS for name, text in value.items()):
        raise invalid(f"Keys and values of labels have {LABEL_CHARACTERS} characters at most.", "session.labels")


def expiry(body: Mapping[str, Any], now: datetime) -> datetime:
    """When the session ends: as asked for, a day ahead at least; else by the service's own term."""
    if "ttl" in body and "expireTime" in body:
        raise invalid("Only one of ttl and expire_time may be set.", "session.ttl")
    if "expireTime" in body:
        end = moment(body["expireTime"], "session.expire_time")
    elif "ttl" in body:
        end = now + _duration(body["ttl"])
    else:
        return now + DEFAULT_TTL
    if end < now + MIN_TTL:
        raise invalid("The minimum time to live of a session is 24 hours.", "session.ttl")
    return end


def event(value: Any) -> Mapping[str, Any]:
    """The body of an appendEvent."""
    body = known(value, EVENT)
    for name, wire in (("author", "event.author"), ("invocationId", "event.invocation_id")):
        if not isinstance(body.get(name), str) or not body[name]:
            raise invalid(f"Required field is not set: {wire}.", wire)
    if "timestamp" not in body:
        raise invalid("Required field is not set: event.timestamp.", "event.timestamp")
    moment(body["timestamp"], "event.timestamp")
    actions = known(body.get("actions", {}), ACTIONS, "event.actions")
    known(body.get("eventMetadata", {}), EVENT_METADATA, "event.event_metadata")
    if not isinstance(actions.get("stateDelta", {}), dict):
        raise invalid("Invalid value at 'event.actions.state_delta' (a Struct).", "event.actions.state_delta")
    content = known(body.get("content", {}), ("role", "parts"), "event.content")
    parts = content.get("parts", [])
    if not isinstance(parts, list):
        raise invalid("Invalid value at 'event.content.parts' (repeated).", "event.content.parts")
    for n, part in enumerate(parts):
        known(part, PART, f"event.content.parts[{n}]")
    return body


def moment(value: Any, field: str) -> datetime:
    """A timestamp, which is text; a number is refused."""
    if not isinstance(value, str) or not _RFC_3339.fullmatch(value):
        raise invalid(f"Invalid value at '{field}' (type.googleapis.com/google.protobuf.Timestamp), {value!r}", field)
    seconds, _, rest = value.upper().partition(".")
    fraction = re.match(r"\d*", rest)
    digits = (fraction[0] if fraction else "")[:6]
    zone = rest[len(fraction[0]) :] if rest and fraction else ""
    try:
        return datetime.fromisoformat(f"{seconds}.{digits}{zone}" if digits else seconds).astimezone(timezone.utc)
    except (ValueError, OverflowError) as error:
        raise invalid(f"Invalid value at '{field}' (a time that is none), {value!r}", field) from error


def _duration(value: Any) -> timedelta:
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise invalid(
            f"Invalid value at 'session.ttl' (type.googleapis.com/google.protobuf.Duration), {value!r}", "ttl"
        )
    try:
        return timedelta(seconds=float(f"{found[1]}{found[2] or ''}"))
    except OverflowError as error:
        raise invalid("session.ttl is too long.", "session.ttl") from error


def patch(name: str, body: Any, mask: str | None) -> Mapping[str, Any]:
    """The fields to change: displayName and labels; the state only changes by events, user and expiry never."""
    given = known(body, SESSION | OUTPUT_ONLY)
    named = [_camel(path.strip()) for path in mask.split(",")] if mask is not None else list(given)
    for path in named:
        if path.partition(".")[0] == "sessionState":
            raise ApiError(
                400,
                f"Can't update the session state for session [{name}], you can only update it by appending an event.",
            )
        if path not in ("displayName", "labels"):
            raise invalid(f"The field {path!r} cannot be updated.", "update_mask")
    labels(given.get("labels", {}))
    return {path: given.get(path, "" if path == "displayName" else {}) for path in named}


def _camel(path: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), path)
