"""Draws nodes and edges from records.

Their ids derive from what they say, so they are written as they are found: a job that is done twice writes the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import chain

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.graph_extractor.rules import drawn, is_date
from shared.brain.agents.graph_extractor.schema import RECORDS, Answer, Drawn, Input, Output, Thing
from shared.brain.asking import Question, asked, listed, prompt_beside
from shared.contracts.memory import Edge, Node, Record, RecordStatus
from shared.contracts.operations import Usage
from shared.ids import derived
from shared.llm.port import Model
from shared.memory.keys import ME, key_of
from shared.search.words import words
from shared.store.graph import edge_id, node_id
from shared.store.record_search import CURRENT

BATCH = 8
_CURATE_AFTER = timedelta(minutes=10)
_LABEL, _NAME = 60, 120
_SECONDS = 35.0


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    records = _records(given, desk)
    found, usage = _by_model(desk.model, desk, records) if desk.model is not None else ([], Usage())
    if desk.model is None:
        found = [drawn(record) for record in records]
    by_id = {record.id: record for record in records}
    nodes: dict[str, Node] = {}
    edges: dict[str, Edge] = {}
    for one in found:
        if one.record in by_id:
            _place(by_id[one.record], one, nodes, edges, desk.now())
    for node in nodes.values():
        desk.store.graph.add_node(node)
    desk.store.graph.add_edges(list(edges.values()))
    _forget_the_gone(desk, by_id)
    follow = (NewJob("topic_curator", {}, run_after=desk.now() + _CURATE_AFTER),) if nodes else ()
    return Outcome(
        Output(records=len(records), nodes=len(nodes), edges=len(edges)).model_dump(),
        enqueue=follow,
        usage=usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _records(given: Input, desk: Desk) -> list[Record]:
    search = desk.store.record_search
    found = search.several(given.record_ids).values() if given.record_ids else search.newest(CURRENT, RECORDS)
    return [one for one in found if one.status is not RecordStatus.RETRACTED and not one.excluded]


def _by_model(model: Model, desk: Desk, records: Sequence[Record]) -> tuple[list[Drawn], Usage]:
    found, usage = list[Drawn](), Usage()
    for start in range(0, len(records), BATCH):
        rows = [({"id": one.id, "about": one.subject}, one.text) for one in records[start : start + BATCH]]
        said = asked(
            model, desk.cut, Question(prompt_beside(__file__), listed("record", rows), Answer, seconds=_SECONDS)
        )
        found += said.value.records
        usage += said.usage
    return found, usage


def _place(record: Record, found: Drawn, nodes: dict[str, Node], edges: dict[str, Edge], now: datetime) -> None:
    """What the record really names becomes nodes and edges; what was made up is left out."""
    things = {key_of(one.name): one for one in found.things if _named(record, one)}
    for key, thing in things.items():
        known = nodes.get(node_id(key))
        record_ids = tuple(dict.fromkeys((*(known.record_ids if known else ()), record.id)))
        name = "Me" if key == ME else thing.name[:_NAME]
        nodes[node_id(key)] = Node(
            id=node_id(key), key=key, name=name, kind=thing.kind, record_ids=record_ids, updated_at=now
        )
    for one in found.relations:
        source, target, label = key_of(one.source), key_of(one.target), " ".join(one.label.split())[:_LABEL]
        if source in things and target in things and source != target and label:
            ends = node_id(source), node_id(target)
            name = edge_id(*ends, label, record.id)
            edges[name] = Edge(
                id=name, source=ends[0], target=ends[1], label=label, record_id=record.id, updated_at=now
            )


def _forget_the_gone(desk: Desk, known: Collection[str]) -> None:
    """A record that was forgotten while it was worked on leaves nothing behind."""
    there = desk.store.record_search.several(list(known))
    for record_id in known:
        if record_id not in there:
            desk.store.graph.forget(record_id, desk.now())


def _named(record: Record, thing: Thing) -> bool:
    """Whether the record has the words of the name; a date or an amount is none."""
    key = key_of(thing.name)
    there = set(chain.from_iterable(words(text) for text in (record.subject, record.object, record.text)))
    return key == ME or (bool(key) and not is_date(key) and set(words(key)) <= there)


def _key(given: Input) -> str:
    return derived("records", *sorted(given.record_ids))


AGENT = BrainAgent(
    id="graph_extractor",
    description="Draws people, places and things out of records, and what is said of two of them.",
    model_class="extraction",
    input=Input,
    output=Output,
    run=run,
    reads=("records",),
    writes=("nodes", "edges"),
    depends_on=("committer",),
    idempotency_key=_key,
    timeout_ms=180_000,
    batch_size=BATCH,
)
