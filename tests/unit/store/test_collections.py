"""The one list of collections knows every path that the store writes to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import pytest

from shared.store import checkpoints, collections, paths

_NO_DOCUMENT = {"segment", "is_segment", "event"}
_AT_THE_TOP = {"workspace", "workspace_deletion"}


def functions() -> Iterator[Callable[..., str]]:
    for name, found in inspect.getmembers(paths, inspect.isfunction):
        if found.__module__ == paths.__name__ and name not in _NO_DOCUMENT | _AT_THE_TOP and not name.startswith("_"):
            yield found


@pytest.mark.parametrize("path_of", list(functions()), ids=lambda one: one.__name__)
def test_every_path_lies_in_a_collection_that_is_listed(path_of: Callable[..., str]) -> None:
    kinds = [one.annotation for one in inspect.signature(path_of).parameters.values()]
    path = path_of(*(1 if kind == "int" else "x1" for kind in kinds))
    assert collections.collection_of(path) is not None, f"add the collection of {path} to shared/store/collections.py"


def test_checkpoints_are_listed_and_so_are_the_events_of_every_owner_of_a_stream() -> None:
    assert collections.collection_of(checkpoints.path_of("s1")) is not None
    owners = [paths.note("x"), paths.operation("x"), paths.session("x"), paths.run("x"), paths.brain_agent("x")]
    for owner in [*owners, paths.run_step("x", "y")]:
        assert collections.collection_of(paths.event(owner, 1)) is not None


def test_what_is_left_out_says_why_and_a_path_that_is_none_has_no_collection() -> None:
    for one in collections.COLLECTIONS:
        assert bool(one.why) == (one.kept is collections.Kept.LEFT_OUT), one.pattern
    for path in ("", "notes", "notes/a/parts", "notes//x/y", "sweeps/x"):
        assert collections.collection_of(path) is None
