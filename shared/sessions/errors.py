"""What a session store refuses, each by a name of its own.

| error | when |
|---|---|
| InvalidSessionId | the id is none that any store takes |
| InvalidCheckpoint | what is to be saved is no envelope of JSON |
| CheckpointTooLarge | it is larger than this store keeps |
| UnknownFormat, UnreadableCheckpoint | the session is there and cannot be read: never taken for a new one |
| VersionConflict | another writer was faster |
| OwnerChanged | the session belongs to another principal |
| StoreClosed | the store was closed |
| StoreBroken | what the store keeps its sessions in is damaged |
| OperationTimeout | the service did not say in time that it is done |
| StoreRefused | the service refuses the call as it is |
"""

from __future__ import annotations

from shared.errors import Conflict, InputError, MemexError, Transient, Unprocessable


class InvalidSessionId(InputError):
    code = "session_id"


class InvalidCheckpoint(InputError):
    code = "checkpoint_invalid"


class CheckpointTooLarge(InputError):
    code = "checkpoint_too_large"


class Unread(Unprocessable):
    """The session exists, and what is in it cannot be used. `owner` is whose it is, where that can be told."""

    def __init__(self, session_id: str, why: str, owner: str | None = None) -> None:
        super().__init__(f"The conversation {session_id} is there, and cannot be read: {why}")
        self.owner = owner


class UnknownFormat(Unread):
    code = "checkpoint_format"


class UnreadableCheckpoint(Unread):
    code = "checkpoint_unreadable"


class VersionConflict(Conflict):
    code = "checkpoint_conflict"


class OwnerChanged(Conflict):
    code = "checkpoint_owner"


class StoreClosed(MemexError):
    status, code = 500, "sessions_closed"


class StoreBroken(Unprocessable):
    code = "sessions_broken"


class OperationTimeout(Transient):
    code = "sessions_operation_timeout"


class StoreRefused(Unprocessable):
    """`http_status` is what the service answered."""

    code = "sessions_refused"

    def __init__(self, message: str, http_status: int) -> None:
        super().__init__(message, http_status=http_status)
        self.http_status = http_status
