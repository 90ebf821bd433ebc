"""Every stored shape of today's code, and the documents that earlier states of it have written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.docs import STORED
from shared.contracts.base import Stored
from shared.contracts.documents import Chunk, ChunkIndex, Document
from shared.store.typed import fields_from

HERE = Path(__file__).parent
SHAPES = HERE / "shapes.json"
WORKFLOWS = HERE / "workflows"
MODELS: Mapping[str, type[Stored]] = {
    model.__name__: model for model in (*STORED.values(), Document, Chunk, ChunkIndex) if issubclass(model, Stored)
}


@dataclass(frozen=True)
class Old:
    """A document of an earlier state: {model}.{day}-{commit}.json."""

    name: str
    model: type[Stored]
    fields: Mapping[str, Any]


def old_documents() -> Iterator[Old]:
    for path in sorted((HERE / "documents").glob("*.json")):
        fields = fields_from(json.loads(path.read_text(encoding="utf-8")), str)
        yield Old(path.stem, MODELS[path.name.partition(".")[0]], fields)


def shapes() -> dict[str, dict[str, str]]:
    """{model: {field: required | optional}}, with the models that lie inside others."""
    found: dict[str, dict[str, str]] = {}
    pending: list[Any] = list(MODELS.values())
    while pending:
        model = pending.pop()
        if model.__name__ not in found:
            fields = model.model_fields.items()
            found[model.__name__] = {name: "required" if one.is_required() else "optional" for name, one in fields}
            pending += [inner for _, one in fields for inner in _models(one.annotation)]
    return found


def _models(annotation: Any) -> Iterator[type[Stored]]:
    if isinstance(annotation, type) and issubclass(annotation, Stored):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)
