"""What docs/brain.md has from the registry of agents: their table, and the picture of who comes after whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shared.brain.agent import BrainAgent
from shared.brain.registry import agents

_MARKS = ("<!-- agents -->", "<!-- end of agents -->")
_SENSES = "sensory[notes, chat turns]"
_COLLECTIONS = {"records": "records[(records)]", "blackboard": "blackboard[(blackboard)]"}
"""What the picture shows of what is read and written; the table has the rest."""


def with_agents(page: str) -> str:
    """The page with what stands between its marks written anew. Raises ValueError for one without them."""
    before, begun, rest = page.partition(_MARKS[0])
    _, ended, after = rest.partition(_MARKS[1])
    if not begun or not ended:
        raise ValueError(f"docs/brain.md lacks {_MARKS[0]} or {_MARKS[1]}")
    known = list(agents().values())
    made = "\n".join((*_table(known), "", *_picture(known)))
    return f"{before}{_MARKS[0]}\n{made}\n{_MARKS[1]}{after}"


def _table(known: Iterable[BrainAgent]) -> Iterator[str]:
    yield "| agent | model | what it does | reads | writes | emits | after |"
    yield "|---|---|---|---|---|---|---|"
    for one in known:
        cells = (f"`{one.id}`", one.model_class, one.description, *map(_listed, (one.reads, one.writes, one.emits)))
        yield f"| {' | '.join(cells)} | {_listed(one.depends_on)} |"


def _picture(known: Sequence[BrainAgent]) -> Iterator[str]:
    """Arrows of order are solid; a dotted one leads from or to what is read or written."""
    yield "```mermaid"
    yield "flowchart LR"
    yield f"  {_SENSES} --> cognitive_extractor"
    for place in _COLLECTIONS.values():
        yield f"  {place}"
    drawn = {before for one in known for before in one.depends_on}
    for one in known:
        yield from (f"  {before} --> {one.id}" for before in one.depends_on)
        if not one.depends_on and one.id not in drawn:
            yield f"  {one.id}"
        yield from (f"  {one.id} -.-> {place}" for place in one.writes if place in _COLLECTIONS)
    yield "```"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
