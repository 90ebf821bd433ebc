"""Random writes: set, merge, update, delete, transforms, masks, preconditions, well formed and not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from infra.local.firestore.fieldpath import render
from tests.contract.parity.firestore_side import LAST_KNOWN
from tests.contract.parity.values import (
    ROOT,
    any_paths,
    document,
    documents,
    few_values,
    fields,
    numbers,
    paths,
    refused_values,
    value,
    values,
)

NAMES = [f"{ROOT}/c/1", f"{ROOT}/c/2", f"{ROOT}/c/1/g/1", f"{ROOT}/g/9"]
"""The documents that are written to."""
BAD_NAMES = ["", "c/1", ROOT, f"{ROOT}/c", f"{ROOT}/c/1/g", f"{ROOT}/c//1", f"{ROOT}/c/..", f"{ROOT}/c/__x__"]
BAD_NAMES += [f"{ROOT}/__x__/1", f"{ROOT}/c/" + "x" * 1501, "projects/parity/databases/(default)/c/1"]
names = st.sampled_from(NAMES)

Precondition: Any = type(wire.Write().current_document)
preconditions = st.one_of(
    st.booleans().map(lambda exists: Precondition(exists=exists)),
    st.just(Precondition(update_time=LAST_KNOWN)),
    st.just(Precondition(update_time=wire.Timestamp(seconds=1_600_000_000))),
    st.just(Precondition()),
)
maybe_precondition = st.one_of(st.none(), st.none(), preconditions)

Transform: Any = type(wire.Write().transform.field_transforms.add())
_SERVER = Transform.ServerValue.REQUEST_TIME
_lists = st.lists(few_values.filter(lambda v: v.WhichOneof("value_type") != "array_value"), max_size=4)


def _list_transform(kind: str, path: str, elements: list[Any]) -> Any:
    return Transform(field_path=path, **{kind: wire.ArrayValue(values=elements)})


transforms = st.one_of(
    st.builds(lambda path: Transform(field_path=path, set_to_server_value=_SERVER), paths),
    st.builds(
        lambda kind, path, operand: Transform(field_path=path, **{kind: operand}),
        st.sampled_from(["increment", "maximum", "minimum"]),
        paths,
        numbers,
    ),
    st.builds(_list_transform, st.sampled_from(["append_missing_elements", "remove_all_from_array"]), paths, _lists),
)
odd_transforms = st.one_of(
    st.builds(lambda path: Transform(field_path=path, set_to_server_value=_SERVER), any_paths),
    st.just(Transform(field_path="a")),
    st.just(Transform(field_path="a", set_to_server_value=0)),
    st.builds(lambda v: Transform(field_path="a", increment=v), values),
    st.builds(lambda v: Transform(field_path="a", maximum=v), values),
    st.builds(lambda v: _list_transform("append_missing_elements", "a", [v]), refused_values),
    st.builds(lambda v: _list_transform("remove_all_from_array", "a", [v]), refused_values),
)


def _update(name: str, entries: dict[str, Any], mask: list[str] | None, changes: list[Any]) -> Any:
    write = wire.Write(update=document(entries, name), update_transforms=changes)
    if mask is not None:
        write.update_mask.SetInParent()
        write.update_mask.field_paths.extend(mask)
    return write


def _masks(any_path: Any) -> Any:
    top = fields.map(lambda name: render((name,)))
    return st.one_of(st.none(), st.lists(st.one_of(top, any_path), max_size=4))


def _with(write: Any, precondition: Any | None) -> Any:
    if precondition is not None:
        write.current_document.CopyFrom(precondition)
    return write


def conditioned(some: Any) -> Any:
    """The same writes, some of them with a precondition."""
    return st.builds(_with, some, maybe_precondition)


updates = st.builds(_update, names, documents, _masks(paths), st.lists(transforms, max_size=2))
deletes = names.map(lambda name: wire.Write(delete=name))


def _transform_write(name: str, changes: list[Any]) -> Any:
    write = wire.Write()
    write.transform.document = name
    write.transform.field_transforms.extend(changes)
    return write


transform_writes = st.builds(_transform_write, names, st.lists(transforms, max_size=3))
writes = conditioned(st.one_of(updates, updates, updates, deletes, transform_writes))
"""Well formed; a precondition may fail."""

_odd_fields = st.dictionaries(fields, st.one_of(values, refused_values), max_size=2)
odd_writes = st.builds(
    _with,
    st.one_of(
        st.builds(_update, names, _odd_fields, _masks(any_paths), st.lists(odd_transforms, max_size=2)),
        st.builds(_update, st.sampled_from(BAD_NAMES), documents, st.none(), st.just([])),
        st.sampled_from(BAD_NAMES).map(lambda name: wire.Write(delete=name)),
        st.builds(_transform_write, st.sampled_from(NAMES + BAD_NAMES), st.lists(odd_transforms, max_size=2)),
        st.just(wire.Write()),
        st.just(wire.Write(verify=NAMES[0])) if "verify" in wire.Write.DESCRIPTOR.fields_by_name else st.nothing(),
    ),
    maybe_precondition,
)
"""Mostly to be refused."""

batches = st.lists(st.one_of(writes, writes, writes, writes, odd_writes), max_size=4)
one = value(integer_value=1)
