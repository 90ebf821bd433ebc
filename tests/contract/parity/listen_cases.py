"""Random lives of a listener: targets added, resumed and removed, streams cut, and documents written between."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity import query_cases
from tests.contract.parity.step import Script, Step
from tests.contract.parity.values import DATABASE, ROOT, document, few_values

SENTINEL, SENTINEL_TARGET = f"{ROOT}/sentinel/s", 1000
"""A document that each step ends by writing, and the target that tells of it."""
_NAMES = [f"{ROOT}/c/{number}" for number in "1234"] + [f"{ROOT}/c/1/g/1", f"{ROOT}/g/9"]
_names = st.sampled_from(_NAMES)
_entries = st.dictionaries(st.sampled_from(["a", "b"]), few_values, max_size=2)
_sets = st.builds(lambda name, entries: wire.Write(update=document(entries, name)), _names, _entries)
_writes = st.lists(
    st.one_of(_sets, _sets, _sets, _names.map(lambda name: wire.Write(delete=name))),
    min_size=1,
    max_size=4,
    unique_by=lambda write: write.delete or write.update.name,
)


def commit(writes: list[Any]) -> Step:
    """A plain commit."""
    return Step("Commit", wire.message("CommitRequest")(database=DATABASE, writes=writes))


def add(target_id: int, target: Any, at: int | None) -> Step:
    """Ask for a target; with `at`, resumed from what was known of it after that step."""
    request = wire.message("ListenRequest")(database=DATABASE)
    request.add_target.CopyFrom(target)
    request.add_target.target_id = target_id
    if at is not None:
        request.add_target.resume_token = str(at).encode()
    return Step("Listen", request)


def remove(target_id: int) -> Step:
    """Ask for the end of a target."""
    return Step("Listen", wire.message("ListenRequest")(database=DATABASE, remove_target=target_id))


def cut() -> Step:
    """Not a request: the stream ends, and a new one begins."""
    return Step("Listen", wire.message("ListenRequest")(database=DATABASE))


def documents_target(names: list[str]) -> Any:
    """A target of documents."""
    target = type(wire.message("ListenRequest")().add_target)()
    target.documents.documents.extend(names)
    return target


@st.composite
def _query_targets(draw: Any) -> Any:
    target = type(wire.message("ListenRequest")().add_target)()
    target.query.parent = draw(st.sampled_from(query_cases.PARENTS))
    query = draw(query_cases.queries())
    query.ClearField("select")
    query.ClearField("offset")
    if query.limit.value == 0:
        query.ClearField("limit")
    target.query.structured_query.CopyFrom(query)
    return target


_targets = st.one_of(
    _query_targets(),
    _query_targets(),
    st.lists(st.sampled_from([*_NAMES, f"{ROOT}/c/none"]), min_size=1, max_size=3, unique=True).map(documents_target),
)


@st.composite
def listeners(draw: Any) -> Script:
    """Steps that make sense one after the other; a target that ends may come back, resumed."""
    script = [commit(draw(_writes))]
    known: dict[int, tuple[Any, list[int]]] = {}
    active: set[int] = set()
    for _ in range(draw(st.integers(2, 8))):
        kind = draw(st.sampled_from(["write", "write", "write", "add", "add", "remove", "cut"]))
        if kind == "write" or (kind == "remove" and not active):
            script.append(commit(draw(_writes)))
        elif kind == "remove":
            target_id = draw(st.sampled_from(sorted(active)))
            active.discard(target_id)
            script.append(remove(target_id))
        elif kind == "cut":
            script.append(cut())
            active.clear()
        ended = sorted(known.keys() - active)
        if kind == "cut" or (kind == "add" and ended and draw(st.booleans())):
            for target_id in ended if kind == "cut" else [draw(st.sampled_from(ended))]:
                target, places = known[target_id]
                script.append(add(target_id, target, draw(st.sampled_from([None, *places[-3:]]))))
                active.add(target_id)
        elif kind == "add" and len(active) < 3:
            target_id = len(known) + 1
            known[target_id] = (draw(_targets), [])
            script.append(add(target_id, known[target_id][0], None))
            active.add(target_id)
        for target_id in active:
            known[target_id][1].append(len(script) - 1)
    return script
