"""What earlier states of the code have stored is read for ever, and a stored shape does not change unnoticed."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.base import Stored
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.errors import Malformed
from shared.store.notes import NotesWanted
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore
from shared.store.writes import put
from tests.corpus.shapes import MODELS, SHAPES, Old, old_documents, shapes
from tests.support.cloud import local_firestore
from tests.support.seams import CountingIds, FakeClock

OLD = tuple(old_documents())
_workspaces = itertools.count(1)


@pytest.fixture(scope="module")
def firestore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as client:
        yield client


def plain(value: Any) -> Any:
    """What is compared: moments and enums as text, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value


def same(old: Any, now: Any) -> bool:
    """Whether all that an old value says is said by the one of today, which may say more."""
    if isinstance(old, Mapping) and isinstance(now, Mapping):
        return all(name in now and same(one, now[name]) for name, one in old.items())
    if isinstance(old, list) and isinstance(now, list):
        return len(old) == len(now) and all(map(same, old, now))
    return bool(old == now)


@pytest.mark.parametrize("old", OLD, ids=lambda old: old.name)
def test_an_old_document_is_read_and_says_what_it_said(old: Old) -> None:
    read = parsed(old.model, old.fields, "here").model_dump(mode="json")
    again = parsed(old.model, old.model.model_validate(old.fields).model_dump(), "here")
    known = {name: value for name, value in old.fields.items() if name in read}
    said = old.model.model_validate(known).model_dump(mode="json")
    assert same({name: said[name] for name in known}, read)
    assert again.model_dump(mode="json") == read


@pytest.mark.parametrize("old", OLD, ids=lambda old: old.name)
def test_a_document_without_a_version_is_of_the_first(old: Old) -> None:
    fields = {name: value for name, value in old.fields.items() if name != "v"}
    assert parsed(old.model, fields, "here").v == 1


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.__name__)
def test_a_document_of_a_later_version_is_refused_by_name(model: type[Stored]) -> None:
    with pytest.raises(Malformed, match="version 99, and this Memex knows"):
        parsed(model, {"v": 99}, "notes/n1")


def test_there_is_an_old_document_of_every_stored_kind() -> None:
    assert {old.model.__name__ for old in OLD} >= set(MODELS) - NEW


NEW = {"WorkspaceDeletion", "Member", "ImportRecord"}
"""Kinds that nothing has changed in yet; take one out of here when its shape changes, and put a document in."""


def test_a_stored_shape_does_not_change_without_a_document_of_the_shape_before() -> None:
    kept = json.loads(SHAPES.read_text(encoding="utf-8"))
    now = shapes()
    gone = {f"{name}.{field}" for name, fields in kept.items() for field in fields if field not in now.get(name, {})}
    assert not gone, "a field that old documents have is not read any more: keep it, or say in the model what it became"
    required = {
        f"{name}.{field}"
        for name, fields in now.items()
        for field, how in fields.items()
        if how == "required" and name in kept and kept[name].get(field) != "required"
    }
    assert not required, "old documents lack it: give it a default"
    hint = "put a document as it was before into tests/corpus/documents/, and run: python -m tests.corpus"
    assert now == kept, hint


Use = Callable[[WorkspaceStore, str], object]
USES: Mapping[str, tuple[str, Use, Use]] = {
    "Note": ("notes", lambda s, i: s.notes.find(i), lambda s, i: s.notes.list(NotesWanted(limit=5)).notes),
    "Operation": ("operations", lambda s, i: s.operations.get(i), lambda s, i: s.operations.list(limit=5)[0]),
    "Task": ("tasks", lambda s, i: s.tasks.get(i), lambda s, i: s.tasks.list(TasksWanted(limit=5, done=False))),
    "AgentRun": ("agent_runs", lambda s, i: s.runs.get(i), lambda s, i: s.runs.list(limit=5)[0]),
    "ChatSession": ("chat_sessions", lambda s, i: s.chats.find(i), lambda s, i: s.chats.list(limit=5)[0]),
    "Document": ("documents", lambda s, i: s.documents.get(i), lambda s, i: s.documents.list(limit=5)[0]),
    "Approval": ("approvals", lambda s, i: s.approvals.get(i), lambda s, i: s.approvals.list(limit=5)[0]),
    "MemoryJob": ("memory_jobs", lambda s, i: s.memory_jobs.get(i), lambda s, i: True),
    "BlackboardItem": ("blackboard", lambda s, i: s.blackboard.find(i), lambda s, i: s.blackboard.list(limit=5)[0]),
}


@pytest.mark.parametrize("old", [one for one in OLD if one.model.__name__ in USES], ids=lambda old: old.name)
def test_an_old_document_is_found_and_listed_through_the_real_store(firestore: Client, old: Old) -> None:
    clock, workspace = FakeClock(), f"corpus{next(_workspaces)}"
    store = WorkspaceStore(firestore, workspace, clock, random.Random(1), CountingIds())
    collection, find, listed = USES[old.model.__name__]
    database = Database(firestore, f"workspaces/{workspace}", clock, random.Random(2))
    database.commit([put(f"{collection}/old", {**old.fields, "id": "old"})], "test")
    assert find(store, "old") is not None
    assert listed(store, "old")
