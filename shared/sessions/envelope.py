"""Envelopes as text and back, checked both ways; and whether one may take the place of another."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NoReturn

from pydantic import ValidationError

from shared.contracts.sessions import FORMAT, CheckpointEnvelope
from shared.invalid import problems
from shared.sessions.errors import (
    CheckpointTooLarge,
    InvalidCheckpoint,
    InvalidSessionId,
    OwnerChanged,
    UnknownFormat,
    UnreadableCheckpoint,
    VersionConflict,
)
from shared.sessions.port import Head, Sealed

ID_BYTES = 400
"""As a Firestore id, with every byte escaped, it still is no longer than 1,500."""


def check_id(session_id: str) -> None:
    """Raises InvalidSessionId for what is no id: empty, no text, with a NUL, longer than ID_BYTES."""
    try:
        size = len(session_id.encode())
    except UnicodeEncodeError:
        size = 0
    if not 0 < size <= ID_BYTES or "\x00" in session_id:
        raise InvalidSessionId(f"The id of a session is 1 to {ID_BYTES} bytes of UTF-8 without NUL.", field="id")


def canonical(value: Any) -> str:
    """JSON with sorted keys and no blanks. Raises ValueError, TypeError, RecursionError for what is no JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    text.encode()
    return text


def _text(envelope: CheckpointEnvelope) -> str:
    return canonical(envelope.model_dump(mode="json", exclude={"data"}) | {"data": envelope.data})


def seal(session_id: str, envelope: CheckpointEnvelope, max_bytes: int) -> Sealed:
    """The envelope as it will be read again. Raises InvalidCheckpoint (an unknown format too), CheckpointTooLarge."""
    if envelope.format != FORMAT:
        raise InvalidCheckpoint(f"The format {envelope.format[:100]!r} is not known here: it must be {FORMAT}.")
    try:
        text = _text(envelope)
        same = json.loads(text)["data"] == envelope.data
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidCheckpoint("data must be JSON: numbers that are finite, text, lists and objects.") from error
    if not same:
        raise InvalidCheckpoint("data must be JSON that reads back as it was: keys of text, lists and no tuples.")
    size = len(text.encode())
    if size > max_bytes:
        raise CheckpointTooLarge(
            f"The checkpoint has {size:,} bytes, and this store keeps {max_bytes:,} at most: keep less in it, or "
            "choose a store that takes more (docs/sessions.md).",
            bytes=size,
        )
    return Sealed(session_id, envelope, text, Head(envelope.version, envelope.owner, digest(text)))


def unseal(session_id: str, text: str, owner: str | None = None) -> CheckpointEnvelope:
    """The envelope in a text. Raises UnknownFormat, UnreadableCheckpoint; `owner` is who is told to have it."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise UnreadableCheckpoint(session_id, "it is no JSON, or cut off.", owner) from error
    if not isinstance(value, dict):
        raise UnreadableCheckpoint(session_id, "it is no JSON object.", owner)
    named = value.get("format")
    if named != FORMAT:
        raise UnknownFormat(session_id, f"its format is {str(named)[:100]!r}, and only {FORMAT} is known.", owner)
    try:
        return CheckpointEnvelope.model_validate(value)
    except ValidationError as error:
        field, _ = problems(error, whole="it")[0]
        raise UnreadableCheckpoint(session_id, f"{field} is malformed.", owner) from error


def head_of(session_id: str, text: str, owner: str | None = None) -> Head:
    """The head of a stored text. Raises as `unseal` does."""
    envelope = unseal(session_id, text, owner)
    return Head(envelope.version, envelope.owner, digest(_text(envelope)))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def goes_over(sealed: Sealed, stored: Head | None) -> bool:
    """Whether `sealed` is to be written where `stored` is: not where it is there already.

    Raises OwnerChanged, and VersionConflict for one that is not newer.
    """
    if stored is None:
        return True
    if stored.digest == sealed.head.digest:
        return False
    if stored.owner != sealed.head.owner:
        raise OwnerChanged(f"The conversation {sealed.session_id} belongs to another principal.")
    if stored.version >= sealed.head.version:
        raise VersionConflict(
            f"The conversation {sealed.session_id} has been saved by another writer in the meantime (version "
            f"{stored.version}, not older than {sealed.head.version}): read it again.",
            stored_version=stored.version,
        )
    return True


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
