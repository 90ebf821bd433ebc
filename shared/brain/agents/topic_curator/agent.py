"""Keeps the topics. It writes them itself, each on the state of its records: one that was forgotten leaves nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.topic_curator.schema import Answer, Grouped, Input, Output
from shared.brain.asking import Question, Said, asked, fenced, listed, prompt_beside
from shared.brain.lasting import lasting
from shared.contracts.memory import Node, Record, Topic
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.memory.keys import ME, key_of
from shared.store.topics import topic_id

NODES, RECORDS = 60, 80
TOPICS = 60
"""Of more the ones that were written longest ago go."""
_OF_A_TOPIC = 40
_LEAST_BY_RULE, _LEAST = 3, 2
_WRITTEN, _NAME, _SUMMARY, _SENTENCES = 20, 80, 800, 3


def run(_given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    nodes = [one for one in desk.store.graph.newest(NODES) if one.key != ME]
    asked_for = list(dict.fromkeys(record_id for one in nodes for record_id in one.record_ids))[:RECORDS]
    records = {one.id: one for one in lasting(desk.store, asked_for)}
    known = desk.store.topics.list(TOPICS + _WRITTEN)
    said = _by_rule(nodes, records) if desk.model is None else _by_model(desk.model, desk, nodes, records, known)
    written = sum(_kept(desk, one, records) for one in said.value.topics[:_WRITTEN])
    left_over = desk.store.topics.list(TOPICS + _WRITTEN)[TOPICS:]
    desk.store.topics.remove([one.id for one in left_over])
    return Outcome(
        Output(topics=written, removed=len(left_over), records=len(records)).model_dump(),
        usage=said.usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _kept(desk: Desk, found: Grouped, records: Mapping[str, Record]) -> bool:
    """Write the topic if it rests on enough records; whether it was written."""
    record_ids = [one for one in dict.fromkeys(found.record_ids) if one in records][:_OF_A_TOPIC]
    name, key = " ".join(found.name.split())[:_NAME], key_of(found.name)
    if len(record_ids) < _LEAST or not key:
        return False

    def decide(_current: Topic | None) -> Topic | None:
        if len(lasting(desk.store, record_ids)) < len(record_ids):
            return None
        summary = found.summary.strip()[:_SUMMARY]
        return Topic(id=topic_id(key), name=name, summary=summary, record_ids=tuple(record_ids), updated_at=desk.now())

    return desk.store.topics.change(topic_id(key), decide, point="topics.write")


def _by_rule(nodes: Sequence[Node], records: Mapping[str, Record]) -> Said[Answer]:
    """Each person, place or thing of several records, in the words of the newest."""
    topics = []
    for node in nodes:
        of_node = [records[one] for one in node.record_ids if one in records]
        if len(of_node) >= _LEAST_BY_RULE:
            summary = " ".join(one.text for one in of_node[:_SENTENCES])
            topics.append(Grouped(name=node.name, summary=summary, record_ids=tuple(one.id for one in of_node)))
    return Said(Answer(topics=tuple(topics)), Usage())


def _by_model(
    model: Model, desk: Desk, nodes: Sequence[Node], records: Mapping[str, Record], known: Sequence[Topic]
) -> Said[Answer]:
    if not records:
        return Said(Answer(topics=()), Usage())
    names: dict[str, list[str]] = {}
    for node in nodes:
        for record_id in node.record_ids:
            names.setdefault(record_id, []).append(node.name)
    rows = [({"id": one.id, "names": ", ".join(names.get(one.id, ()))}, one.text) for one in records.values()]
    topics = fenced("topics", "\n".join(one.name for one in known) or "None yet.")
    return asked(model, desk.cut, Question(prompt_beside(__file__), f"{topics}\n\n{listed('record', rows)}", Answer))


AGENT = BrainAgent(
    id="topic_curator",
    description="Keeps a list of what the records are about, each topic with the records it rests on.",
    model_class="synthesis",
    input=Input,
    output=Output,
    run=run,
    reads=("records", "nodes", "topics"),
    writes=("topics",),
    depends_on=("graph_extractor",),
    idempotency_key=lambda _: "topics",
    timeout_ms=90_000,
)
