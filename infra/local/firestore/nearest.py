"""find_nearest: the documents whose vector is nearest to a given one, by exact comparison with all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from infra.local.firestore import fieldpath, wire
from infra.local.firestore.encoding import is_vector
from infra.local.firestore.fieldpath import FieldPath
from infra.local.firestore.refusals import invalid, unimplemented

MAX_DIMENSIONS, MAX_LIMIT = 2048, 1000
EUCLIDEAN, COSINE, DOT_PRODUCT = 1, 2, 3


@dataclass(frozen=True)
class Nearest:
    """What is searched for; `threshold` and `result`, the name of a field, are None where the query has none."""

    path: FieldPath
    vector: tuple[float, ...]
    measure: int
    limit: int
    threshold: float | None
    result: str | None


def make_nearest(query: Any) -> Nearest:
    """Check a query's find_nearest. Raises INVALID_ARGUMENT."""
    spec = query.find_nearest
    if query.HasField("limit"):
        raise invalid("A query limit cannot be used with FindNearest.")
    if not is_vector(spec.query_vector):
        raise invalid("find_nearest requires a vector as query_vector.")
    vector = _numbers(spec.query_vector)
    if not 1 <= len(vector) <= MAX_DIMENSIONS:
        raise invalid(f"A query vector must have between 1 and {MAX_DIMENSIONS} dimensions.")
    if not 1 <= spec.limit.value <= MAX_LIMIT:
        raise invalid(f"FindNearest.limit must be a positive integer of no more than {MAX_LIMIT}.")
    if spec.distance_measure not in (EUCLIDEAN, COSINE, DOT_PRODUCT):
        raise invalid("FindNearest.distance_measure must be set.")
    fieldpath.check_alias(spec.distance_result_field)
    return Nearest(
        fieldpath.parse_written(spec.vector_field.field_path),
        tuple(vector),
        spec.distance_measure,
        spec.limit.value,
        spec.distance_threshold.value if spec.HasField("distance_threshold") else None,
        spec.distance_result_field or None,
    )


def find_nearest(bodies: list[bytes], wanted: Nearest) -> tuple[list[bytes], int]:
    """The nearest of the serialized documents, nearest first, and how many were compared."""
    found = []
    for body in bodies:
        value = fieldpath.get(wire.parse_document(body).fields, wanted.path)
        if value is not None and is_vector(value) and len(numbers := _numbers(value)) == len(wanted.vector):
            found.append((body, numbers))
    if not found:
        return [], 0
    distances = _distances([numbers for _, numbers in found], wanted)
    sign = -1.0 if wanted.measure == DOT_PRODUCT else 1.0
    order = sorted((distance != distance, sign * distance, at) for at, distance in enumerate(distances))  # NaN last
    if wanted.threshold is not None:
        order = [each for each in order if each[1] <= sign * wanted.threshold]
    nearest = [_with_distance(found[at][0], sign * key, wanted.result) for _, key, at in order[: wanted.limit]]
    return nearest, len(found)


def _numbers(value: Any) -> list[float]:
    elements = value.map_value.fields["value"].array_value.values
    return [
        float(e.double_value if e.WhichOneof("value_type") == "double_value" else e.integer_value) for e in elements
    ]


def _distances(vectors: list[list[float]], wanted: Nearest) -> list[float]:
    try:
        import numpy  # here: the rest of the local cloud does without it
    except ImportError as error:
        raise unimplemented("find_nearest without numpy") from error
    matrix, query = numpy.asarray(vectors), numpy.asarray(wanted.vector)
    if wanted.measure == EUCLIDEAN:
        distances = numpy.linalg.norm(matrix - query, axis=1)
    elif wanted.measure == DOT_PRODUCT:
        distances = matrix @ query
    else:
        with numpy.errstate(all="ignore"):  # a zero vector has no angle: NaN
            squares = (matrix * matrix).sum(axis=1) * (query @ query)  # one root: exact for vectors along one line
            apart = numpy.linalg.norm(matrix, axis=1) * numpy.linalg.norm(query)
            lengths = numpy.where((squares > 0) & (squares < numpy.inf), numpy.sqrt(squares), apart)
            distances = 1.0 - (matrix @ query) / lengths
    return [float(distance) for distance in distances]


def _with_distance(body: bytes, distance: float, result: str | None) -> bytes:
    if result is None:
        return body
    document = wire.parse_document(body)
    document.fields[result].CopyFrom(wire.Value(double_value=distance))
    return wire.serialize(document)
