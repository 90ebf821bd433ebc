"""Records that a question leads to by whom and what it names: those of the named, and of their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.contracts.memory import Edge, Node
from shared.memory.keys import ME, key_of
from shared.search.words import words
from shared.store.graph import Graph, node_id

NAMES, NAME_WORDS = 24, 3
"""So many runs of words of the query, each so long at most, are looked up as the name of a node."""
NAMED = 6
EDGES = 20
"""Each way."""
NEIGHBOURS = 12
READS = NAMES + 2 * EDGES + NEIGHBOURS
_OF_NAMED, _OF_NEIGHBOUR = 10, 3


@dataclass(frozen=True)
class Neighbours:
    """Ids of records, the nearest first, and how many documents were read for them."""

    record_ids: tuple[str, ...]
    read: int


def neighbours(graph: Graph, query: str) -> Neighbours:
    """What the graph knows of the names in the query: at most READS documents are read.

    The person whose memex it is does not count: everything is near to them.
    """
    asked = [node_id(key) for key in _names(query)]
    named = list(graph.nodes(asked).values())[:NAMED]
    if not named:
        return Neighbours((), len(asked))
    edges = graph.edges_at([one.id for one in named], EDGES)
    beside = _beside(named, edges)
    near = list(graph.nodes(beside).values())
    return Neighbours(_ranked(named, edges, near), len(asked) + len(edges) + len(beside))


def _names(query: str) -> list[str]:
    """Runs of the query's words, the longest first: they may be names."""
    found = words(query)
    runs = (" ".join(found[at : at + size]) for size in range(NAME_WORDS, 0, -1) for at in range(len(found) - size + 1))
    keys = dict.fromkeys(key_of(run) for run in runs)
    return [key for key in keys if key and key != ME][-NAMES:]


def _beside(named: Sequence[Node], edges: Sequence[Edge]) -> list[str]:
    known = {one.id for one in named} | {node_id(ME)}
    ends = (end for edge in edges for end in (edge.source, edge.target))
    return list(dict.fromkeys(end for end in ends if end not in known))[:NEIGHBOURS]


def _ranked(named: Sequence[Node], edges: Sequence[Edge], near: Sequence[Node]) -> tuple[str, ...]:
    """First what is said between two of the named, then of each of them, then of those next to them."""
    ids = {one.id for one in named}
    both = [edge.record_id for edge in edges if edge.source in ids and edge.target in ids]
    of_named = [record_id for node in named for record_id in node.record_ids[:_OF_NAMED]]
    of_near = [record_id for node in near for record_id in node.record_ids[:_OF_NEIGHBOUR]]
    return tuple(dict.fromkeys((*both, *of_named, *(edge.record_id for edge in edges), *of_near)))
