"""What one Write makes of one document: precondition, mask, transforms; pure, without storage."""

from __future__ import annotations

from typing import Any

from infra.local.firestore import fieldpath, limits, sizes, wire
from infra.local.firestore.refusals import already_exists, failed_precondition, invalid, not_found, unimplemented
from infra.local.firestore.transforms import apply_transforms, check_transforms


def target_of(write: Any) -> str:
    """The name of the document a Write is about. Raises INVALID_ARGUMENT."""
    kind = write.WhichOneof("operation")
    if kind == "update":
        return str(write.update.name)
    if kind == "delete":
        return str(write.delete)
    if kind == "transform":
        return str(write.transform.document)
    raise invalid("A write has no operation.") if kind is None else unimplemented(f"A write of kind {kind}")


def check_write(write: Any) -> None:
    """Refuse a write that no document could take; rounds its timestamps. Raises INVALID_ARGUMENT."""
    for path in write.update_mask.field_paths:
        fieldpath.parse_written(path)
    limits.check_fields(write.update.fields)
    check_transforms(write.update_transforms)
    if write.WhichOneof("operation") == "transform":
        if not write.transform.field_transforms:
            raise invalid("The list of field transforms must not be empty.")
        check_transforms(write.transform.field_transforms)


def apply_write(write: Any, current: Any | None, request_micros: int) -> tuple[Any | None, list[Any]]:
    """The document after the write (None: deleted) and the transform results; `current` is left alone.

    Raises ALREADY_EXISTS, NOT_FOUND or FAILED_PRECONDITION by the precondition, INVALID_ARGUMENT by the content.
    """
    name = target_of(write)
    if write.HasField("current_document"):
        check_precondition(write.current_document, current, name)
    if write.WhichOneof("operation") == "delete":
        return None, []
    document = wire.Document(name=name)
    if write.WhichOneof("operation") == "transform":
        transforms = write.transform.field_transforms
        _merge(document, current)
    else:
        transforms = write.update_transforms
        _update(document, current, write)
    if current is not None:
        document.create_time.CopyFrom(current.create_time)
        document.update_time.CopyFrom(current.update_time)
    results = apply_transforms(document.fields, transforms, request_micros)
    if len(transforms) or write.HasField("update_mask"):
        limits.check_fields(document.fields)
    sizes.check_size(document)
    return document, results


def check_precondition(precondition: Any, current: Any | None, name: str) -> None:
    """Raises ALREADY_EXISTS, NOT_FOUND or FAILED_PRECONDITION when the document is not as required."""
    kind = precondition.WhichOneof("condition_type")
    if kind == "exists":
        if precondition.exists and current is None:
            raise not_found(f"No document to update: {name}")
        if not precondition.exists and current is not None:
            raise already_exists(f"Document already exists: {name}")
    elif kind == "update_time":
        required = wire.timestamp_micros(precondition.update_time)
        stored = 0 if current is None else wire.timestamp_micros(current.update_time)
        if required != stored:
            raise failed_precondition(
                f"the stored version ({stored}) does not match the required base version ({required})"
            )


def _merge(document: Any, current: Any | None) -> None:
    if current is not None:
        for name, value in current.fields.items():
            document.fields[name].CopyFrom(value)


def _update(document: Any, current: Any | None, write: Any) -> None:
    source = write.update.fields
    if not write.HasField("update_mask"):
        document.CopyFrom(write.update)
        document.ClearField("create_time")
        document.ClearField("update_time")
        return
    _merge(document, current)
    for path in map(fieldpath.parse_written, write.update_mask.field_paths):
        value = fieldpath.get(source, path)
        if value is None:
            fieldpath.drop(document.fields, path)
        else:
            fieldpath.put(document.fields, path, value)
