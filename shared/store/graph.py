"""workspaces/{workspace}/nodes and edges: people, places and things of the records, and what records say of two.

A node's id derives from its key and an edge's from its record, so the same said again is the same document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.contracts.memory import Edge, Node, RecordStatus
from shared.ids import derived
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.writes import Snapshot, Write, delete, put, update

RECORDS_PER_NODE = 50
_IN = 30
"""How many values one query takes."""
_LOOKED_AT = 3
"""A node with more records than these is shown, whatever became of them."""
_STATE, _CURRENT = ("status", "excluded"), RecordStatus.CURRENT.value
_OF_A_RECORD = 100
"""No record has so many nodes or edges."""


@dataclass(frozen=True)
class Neighbourhood:
    """`truncated` says that there was more than was asked for."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool


def node_id(key: str) -> str:
    return derived("node", key)


def edge_id(source: str, target: str, label: str, record_id: str) -> str:
    return derived("edge", record_id, source, target, label)


class Graph:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def add_node(self, node: Node) -> None:
        """Make the node, or add its records to those that it has; the newest RECORDS_PER_NODE are kept."""

        def decide(current: Snapshot) -> Change | None:
            known = _node_of(current)
            if known is None:
                return Change(node.model_dump() | {"size": len(node.record_ids)})
            record_ids = tuple(dict.fromkeys((*node.record_ids, *known.record_ids)))[:RECORDS_PER_NODE]
            kind = node.kind if known.kind == "thing" else known.kind
            if set(node.record_ids) <= set(known.record_ids) and kind == known.kind:
                return None
            changed = {"record_ids": record_ids, "size": len(record_ids), "kind": kind}
            return Change(changed | {"updated_at": node.updated_at})

        self._changing.change(paths.node(node.id), decide, point="graph.node")

    def add_edges(self, edges: Sequence[Edge]) -> None:
        """In one commit; the same edge again is the same document."""
        if edges:
            self._database.commit([put(paths.edge(one.id), one.model_dump()) for one in edges], "graph.edges")

    def nodes(self, node_ids: Sequence[str]) -> dict[str, Node]:
        """Those of them that are there, by id."""
        found = self._database.get_all([paths.node(one) for one in node_ids]) if node_ids else []
        return {one.id: one for one in well_formed(Node, (each for each in found if each.fields is not None))}

    def newest(self, limit: int) -> list[Node]:
        """Nodes that records were last added to."""
        query = Query(limit, orders=(("updated_at", "DESCENDING"), ("__name__", "DESCENDING")))
        return list(well_formed(Node, self._database.query("nodes", query)))

    def largest(self, limit: int) -> list[Node]:
        """Nodes that most records speak of."""
        query = Query(limit, orders=(("size", "DESCENDING"), ("__name__", "DESCENDING")))
        return list(well_formed(Node, self._database.query("nodes", query)))

    def edges_at(self, node_ids: Sequence[str], limit: int) -> list[Edge]:
        """Edges that begin or end at any of the nodes (30 at most), at most `limit` each way, the newest first."""
        asked, orders = list(node_ids[:_IN]), (("updated_at", "DESCENDING"), ("__name__", "DESCENDING"))
        found: dict[str, Edge] = {}
        for side in ("source", "target") if asked else ():
            query = Query(limit, ((side, "in", asked),), orders)
            found |= {one.id: one for one in well_formed(Edge, self._database.query("edges", query))}
        return list(found.values())

    def around(self, about: str | None, hops: int, limit: int) -> Neighbourhood:
        """The nodes within so many steps of one, at most `limit`, and the edges among them; without one, the nodes that
        most records speak of. What only records say that hold no more, or are excluded, is left out.

        Reads at most `limit` nodes, twice as many edges for each step, and the state of their records.
        """
        if about is None:
            nodes = self.largest(limit + 1)
            return self._among(nodes[:limit], truncated=len(nodes) > limit, edges=self._from(nodes[:limit], limit))
        known = self.nodes([about])
        edges: dict[str, Edge] = {}
        border = list(known)
        truncated = False
        for _ in range(hops):
            step = self._from_ids(border, limit)
            edges |= {one.id: one for one in step}
            new = [one for one in dict.fromkeys(_ends(step)) if one not in known]
            border = new[: max(0, limit - len(known))]
            truncated = truncated or len(new) > len(border)
            known |= self.nodes(border)
            border = [one for one in border if one in known]
        return self._among(list(known.values()), truncated=truncated, edges=list(edges.values()))

    def forgetting(self, record_id: str, at: datetime) -> tuple[Write, ...]:
        """The writes that take a record's edges away, and the record out of its nodes; a node without any goes.

        Each has the state it was decided on for a condition, so that nothing that is added meanwhile is lost.
        """
        edges = self._database.query("edges", Query(_OF_A_RECORD, (("record_id", "==", record_id),), fields=("label",)))
        nodes = self._database.query("nodes", Query(_OF_A_RECORD, (("record_ids", "array_contains", record_id),)))
        return (*(delete(one.path) for one in edges), *(_without(one, record_id, at) for one in nodes))

    def forget(self, record_id: str, at: datetime) -> None:
        """Take a record out at once. Raises Contention where its nodes are just written."""
        writes = self.forgetting(record_id, at)
        if writes:
            self._database.commit(writes, "graph.forget")

    def _from(self, nodes: Iterable[Node], limit: int) -> list[Edge]:
        return self._from_ids([one.id for one in nodes], limit)

    def _from_ids(self, node_ids: Sequence[str], limit: int) -> list[Edge]:
        found: list[Edge] = []
        for start in range(0, len(node_ids), _IN):
            found += self.edges_at(node_ids[start : start + _IN], limit)
        return found

    def _among(self, nodes: Sequence[Node], *, truncated: bool, edges: Iterable[Edge]) -> Neighbourhood:
        ids = {one.id for one in nodes}
        among = {one.id: one for one in edges if one.source in ids and one.target in ids}.values()
        said = [*(one.record_id for one in among), *(each for one in nodes for each in one.record_ids[:_LOOKED_AT])]
        hidden = self._hidden(list(dict.fromkeys(said)))
        shown = tuple(one for one in nodes if not one.record_ids or not hidden.issuperset(one.record_ids))
        ids = {one.id for one in shown}
        kept = (one for one in among if one.record_id not in hidden and one.source in ids and one.target in ids)
        return Neighbourhood(shown, tuple(kept), truncated)

    def _hidden(self, record_ids: Sequence[str]) -> set[str]:
        """Those of the records that are there, and hold no more or are excluded."""
        found = self._database.get_all([paths.record(one) for one in record_ids], _STATE) if record_ids else []
        there = ((one.id, one.fields) for one in found if one.fields is not None)
        return {name for name, fields in there if fields.get("excluded") or fields.get("status") != _CURRENT}


def _ends(edges: Iterable[Edge]) -> Iterable[str]:
    return (end for edge in edges for end in (edge.source, edge.target))


def _without(found: Snapshot, record_id: str, at: datetime) -> Write:
    left = [one for one in (found.fields or {}).get("record_ids", ()) if one != record_id]
    if not left:
        return delete(found.path, found.update_time)
    return update(found.path, {"record_ids": left, "size": len(left), "updated_at": at}, found.update_time)


def _node_of(found: Snapshot) -> Node | None:
    return None if found.fields is None else parsed(Node, found.fields, found.path)
