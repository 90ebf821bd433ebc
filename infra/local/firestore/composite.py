"""Which queries need a composite index, by production's rules, and whether it is declared.

The declarations are those of firebase-tools: `indexes` and `fieldOverrides` in one JSON file.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from infra.local.firestore import fieldpath
from infra.local.firestore.fieldpath import NAME, FieldPath
from infra.local.firestore.plan import Conjunction, Order, Plan
from infra.local.firestore.refusals import failed_precondition

EMPTY: dict[str, list[Any]] = {"indexes": [], "fieldOverrides": []}
_ASC, _DESC, _CONTAINS = "ASCENDING", "DESCENDING", "CONTAINS"


class Part(NamedTuple):
    """One field of a declared index: its mode is ASCENDING, DESCENDING or CONTAINS."""

    path: FieldPath
    mode: str


Declared = tuple[Part, ...]
_AUTOMATIC = ((_ASC, "COLLECTION"), (_DESC, "COLLECTION"), (_CONTAINS, "COLLECTION"))


class IndexRules:
    """The declared indexes; read again when the file has changed. A missing file is written, empty."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(EMPTY, indent=2) + "\n")
        self._stamp: tuple[int, int] | None = None
        self._composites: dict[tuple[str, str], list[Declared]] = {}
        self._overrides: dict[tuple[str, FieldPath], list[tuple[str, str]]] = {}
        self._vectors: dict[tuple[str, str], list[tuple[set[FieldPath], FieldPath, int]]] = {}

    def check(self, plan: Plan) -> None:
        """Raises FAILED_PRECONDITION with the JSON to add when a query needs an index that is not declared."""
        self._reload()
        for conjunction in plan.disjuncts:
            wanted = _Wanted(plan, conjunction)
            if not wanted.is_served_by(self._usable(plan, wanted)):
                raise failed_precondition(wanted.complaint())

    def check_vector(self, plan: Plan, path: FieldPath, dimension: int) -> None:
        """As `check`, for a search by the vector at `path` among what the plan finds."""
        self._reload()
        fixed = {each for conjunction in plan.disjuncts for each, _ in (*conjunction.equals, *conjunction.contains)}
        fixed = (fixed | {order.path for order in plan.orders}) - {NAME}
        wanted = {"fieldPath": fieldpath.render(path), "vectorConfig": {"dimension": dimension, "flat": {}}}
        key = (plan.collection_id, _scope(plan))
        if (fixed, path, dimension) not in self._vectors.get(key, ()):
            fields = [_field(Part(each, _ASC)) for each in sorted(fixed)]
            raise failed_precondition(_complaint(*key, [*fields, wanted]))

    def _reload(self) -> None:
        status = self._file.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        with self._lock:
            if stamp == self._stamp:
                return
            content = json.loads(self._file.read_text())
            self._composites, self._overrides, self._vectors = {}, {}, {}
            for index in content.get("indexes", []):
                key = (index["collectionGroup"], index.get("queryScope", "COLLECTION"))
                vector = next((field for field in index["fields"] if "vectorConfig" in field), None)
                if vector is None:
                    self._composites.setdefault(key, []).append(_declared(index["fields"]))
                else:
                    fixed = {fieldpath.parse(each["fieldPath"]) for each in index["fields"] if each is not vector}
                    found = (fixed, fieldpath.parse(vector["fieldPath"]), int(vector["vectorConfig"]["dimension"]))
                    self._vectors.setdefault(key, []).append(found)
            for override in content.get("fieldOverrides", []):
                if "indexes" not in override:  # about something else, such as a time to live
                    continue
                path = ("*",) if override["fieldPath"] == "*" else fieldpath.parse(override["fieldPath"])
                modes = [(_mode(each), each.get("queryScope", "COLLECTION")) for each in override["indexes"]]
                self._overrides[override["collectionGroup"], path] = modes
            self._stamp = stamp

    def _usable(self, plan: Plan, wanted: _Wanted) -> Iterator[Declared]:
        scope = _scope(plan)
        yield from self._composites.get((plan.collection_id, scope), ())
        for path in wanted.paths():
            for mode, mode_scope in self._single(plan.collection_id, path):
                if mode_scope == scope:
                    yield _with_name((Part(path, mode),))

    def _single(self, group: str, path: FieldPath) -> Any:
        for known in (path, ("*",)):
            if (group, known) in self._overrides:
                return self._overrides[group, known]
        return _AUTOMATIC


class _Wanted:
    """What one alternative of a query asks of indexes."""

    def __init__(self, plan: Plan, conjunction: Conjunction) -> None:
        self._plan = plan
        ordered = {order.path for order in plan.orders}
        self._contains = {path for path, _ in conjunction.contains}
        self._equals = {path for path, _ in conjunction.equals if path not in ordered and path != NAME}
        present = [Order(path, plan.orders[-1].descending) for path in plan.present]
        head = [order for order in plan.orders if order.path != NAME]
        fixed = self._equals | {path for path, _ in conjunction.equals}
        extra = [order for order in present if order.path not in ordered | fixed]
        self._suffix = tuple(
            Part(path, _DESC if descending else _ASC) for path, descending in (*head, *extra, plan.orders[-1])
        )

    def paths(self) -> set[FieldPath]:
        return self._contains | self._equals | {part.path for part in self._suffix if part.path != NAME}

    def is_served_by(self, indexes: Iterator[Declared]) -> bool:
        """Whether one index, or several merged, hold the equalities followed by the order."""
        missing = {(path, True) for path in self._contains} | {(path, False) for path in self._equals}
        if not missing and self._suffix == (Part(NAME, _ASC),):
            return True
        for index in indexes:
            head = self._head(index)
            if head is None:
                continue
            covered = {(part.path, part.mode == _CONTAINS) for part in head}
            if covered <= {(path, True) for path in self._contains} | {(path, False) for path in self._equals}:
                missing -= covered
                if not missing:
                    return True
        return False

    def _head(self, index: Declared) -> Declared | None:
        """The equality part of an index whose rest is the wanted order, or its reverse."""
        cut = len(index) - len(self._suffix)
        if cut < 0 or index[cut:] not in (self._suffix, _reversed(self._suffix)):
            return None
        return index[:cut]

    def complaint(self) -> str:
        """The error text, with the declaration that is missing."""
        scope = _scope(self._plan)
        parts = [Part(path, _CONTAINS) for path in sorted(self._contains)]
        parts += [Part(path, _ASC) for path in sorted(self._equals)]
        parts += self._suffix[:-1]
        if not parts or (len(self._suffix) > 1 and self._suffix[-1] != _with_name(tuple(parts))[-1]):
            parts.append(self._suffix[-1])
        if len(parts) == 1 and parts[0].path != NAME:
            return _override_complaint(self._plan.collection_id, scope, parts[0])
        return _complaint(self._plan.collection_id, scope, [_field(part) for part in parts])


def _scope(plan: Plan) -> str:
    return "COLLECTION_GROUP" if plan.all_descendants else "COLLECTION"


def _complaint(group: str, scope: str, fields: list[Any]) -> str:
    declaration = {"collectionGroup": group, "queryScope": scope, "fields": fields}
    return f'The query requires an index. Add to "indexes" in firestore.indexes.json: {json.dumps(declaration)}'


def _override_complaint(group: str, scope: str, part: Part) -> str:
    modes: list[dict[str, str]] = [
        {"order": _ASC, "queryScope": "COLLECTION"},
        {"order": _DESC, "queryScope": "COLLECTION"},
    ]
    modes.append({"arrayConfig": _CONTAINS, "queryScope": "COLLECTION"})
    wanted = {key: value for key, value in _field(part).items() if key != "fieldPath"} | {"queryScope": scope}
    if wanted not in modes:
        modes.append(wanted)
    declaration = {"collectionGroup": group, "fieldPath": fieldpath.render(part.path), "indexes": modes}
    return f'The query requires an index. Add to "fieldOverrides" in firestore.indexes.json: {json.dumps(declaration)}'


def _field(part: Part) -> dict[str, str]:
    kind = "arrayConfig" if part.mode == _CONTAINS else "order"
    return {"fieldPath": fieldpath.render(part.path), kind: part.mode}


def _mode(field: dict[str, Any]) -> str:
    return _CONTAINS if "arrayConfig" in field else str(field.get("order", _ASC))


def _declared(fields: list[dict[str, Any]]) -> Declared:
    return _with_name(tuple(Part(fieldpath.parse(f["fieldPath"]), _mode(f)) for f in fields))


def _with_name(parts: Declared) -> Declared:
    if parts and parts[-1].path == NAME:
        return parts
    return (*parts, Part(NAME, _DESC if parts and parts[-1].mode == _DESC else _ASC))


def _reversed(parts: Declared) -> Declared:
    return tuple(Part(part.path, _ASC if part.mode == _DESC else _DESC) for part in parts)
