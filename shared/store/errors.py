"""What the Firestore client raises, as errors of our tree. A test proves that every class of it is mapped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions as google

from shared.errors import Conflict, InputError, MemexError, NotFound, SettingsError, Transient, Unprocessable


class Contention(Transient):
    """Another writer was faster; the commit was not applied. Append and retry loops read again and decide again."""


class Uncertain(Transient):
    """No answer, or one that does not say whether the commit was applied."""


class Malformed(Unprocessable):
    """A stored document is not of its model's shape: something else than Memex has written it."""


CONTENTION = (google.FailedPrecondition, google.AlreadyExists, google.Aborted)
"""The answers of a commit that lost: a precondition on a document was not met, or a lock was not got."""

_REFUSED = "Firestore refuses the document: it is too large, too deep or holds a value that cannot be stored."
_NOT_ALLOWED = "Firestore does not let this service account in: grant it roles/datastore.user."
_LIMITED = "Firestore is at its limit just now, of calls or of space: try again."
_AWAY = "Firestore gave no answer: try again."
_UNKNOWN_CALL = "Firestore does not know this call: is the database the right one, in native mode?"

TABLE: tuple[tuple[type[google.GoogleAPIError], type[MemexError], str], ...] = (
    (google.Aborted, Contention, "Another writer was faster: try again."),
    (google.AlreadyExists, Contention, "The document exists already."),
    (google.FailedPrecondition, Contention, "The document has changed in the meantime: try again."),
    (google.Conflict, Conflict, "The document has changed in the meantime: read it again."),
    (google.NotFound, NotFound, "There is no such document."),
    # What the account may not do can be put right while events wait, so those are delivered again and not dropped.
    (google.Unauthorized, Transient, _NOT_ALLOWED),
    (google.Forbidden, Transient, _NOT_ALLOWED),
    (google.TooManyRequests, Transient, _LIMITED),
    (google.Cancelled, Uncertain, _AWAY),
    (google.ResumableTransferError, Transient, _AWAY),
    (google.BadRequest, InputError, _REFUSED),
    (google.ClientError, InputError, _REFUSED),
    (google.MethodNotImplemented, SettingsError, _UNKNOWN_CALL),
    (google.Redirection, SettingsError, _UNKNOWN_CALL),
    (google.DuplicateCredentialArgs, SettingsError, "Give the Firestore client one kind of credentials."),
    (google.ServerError, Uncertain, _AWAY),
    (google.RetryError, Uncertain, _AWAY),
    (google.GoogleAPIError, Uncertain, _AWAY),
)
"""The first row whose class fits counts, so the narrow ones come first."""


def translate(error: google.GoogleAPIError) -> MemexError:
    """The error of our tree for one of the client's; every one has a row."""
    for theirs, ours, message in TABLE:
        if isinstance(error, theirs):
            return ours(message)
    raise TypeError(f"{type(error).__name__} is no error of the Firestore client")


@contextmanager
def translated() -> Iterator[None]:
    """Inside, what the client raises arrives as an error of our tree, with the original as its cause."""
    try:
        yield
    except google.GoogleAPIError as error:
        raise translate(error) from error
