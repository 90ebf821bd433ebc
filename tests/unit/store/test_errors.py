"""Every error of the client has a place in our tree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.api_core import exceptions as google

from shared.errors import Conflict, InputError, MemexError, NotFound, SettingsError, Transient
from shared.store.errors import CONTENTION, TABLE, Contention, Uncertain, translate, translated


def classes(base: type[google.GoogleAPIError] = google.GoogleAPIError) -> Iterator[type[google.GoogleAPIError]]:
    yield base
    for derived in base.__subclasses__():
        yield from classes(derived)


def made(theirs: type[google.GoogleAPIError]) -> google.GoogleAPIError:
    if issubclass(theirs, google.RetryError):
        return theirs("late", cause=TimeoutError())
    return theirs.__new__(theirs)


@pytest.mark.parametrize(
    "theirs", sorted(set(classes()), key=lambda each: each.__name__), ids=lambda each: each.__name__
)
def test_every_error_is_translated_into_our_tree(theirs: type[google.GoogleAPIError]) -> None:
    error = translate(made(theirs))
    assert isinstance(error, MemexError) and error.message.endswith((".", "again.", "user.", "mode?"))


def test_the_order_of_the_table_hides_no_row() -> None:
    for index, (theirs, _, _) in enumerate(TABLE):
        assert not any(issubclass(theirs, earlier) for earlier, _, _ in TABLE[:index]), theirs


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (google.FailedPrecondition, Contention),
        (google.AlreadyExists, Contention),
        (google.Aborted, Contention),
        (google.Conflict, Conflict),
        (google.NotFound, NotFound),
        (google.InvalidArgument, InputError),
        (google.PermissionDenied, Transient),
        (google.Unauthenticated, Transient),
        (google.ResourceExhausted, Transient),
        (google.DeadlineExceeded, Uncertain),
        (google.ServiceUnavailable, Uncertain),
        (google.InternalServerError, Uncertain),
        (google.Unknown, Uncertain),
        (google.Cancelled, Uncertain),
        (google.MethodNotImplemented, SettingsError),
    ],
)
def test_what_matters_is_told_apart(theirs: type[google.GoogleAPICallError], ours: type[MemexError]) -> None:
    assert type(translate(theirs("secret detail"))) is ours
    assert "secret" not in translate(theirs("secret detail")).message


def test_the_original_is_kept_as_the_cause() -> None:
    original = google.Aborted("x")
    with pytest.raises(Contention) as caught, translated():
        raise original
    assert caught.value.__cause__ is original
    assert isinstance(original, CONTENTION)
