"""The agents, by their ids. The place to add one: its folder below agents/, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shared.brain.agent import BrainAgent


@cache
def agents() -> Mapping[str, BrainAgent]:
    """All agents, in the order of the documentation; read once, when first asked for."""
    from shared.brain.agents.cognitive_extractor import agent as cognitive_extractor
    from shared.brain.agents.committer import agent as committer
    from shared.brain.agents.contradiction_checker import agent as contradiction_checker
    from shared.brain.agents.evidence_seeker import agent as evidence_seeker
    from shared.brain.agents.focus_distiller import agent as focus_distiller
    from shared.brain.agents.focus_shift_judge import agent as focus_shift_judge
    from shared.brain.agents.graph_extractor import agent as graph_extractor
    from shared.brain.agents.identity_distiller import agent as identity_distiller
    from shared.brain.agents.memory_deduper import agent as memory_deduper
    from shared.brain.agents.relevance_judge import agent as relevance_judge
    from shared.brain.agents.situation_reporter import agent as situation_reporter
    from shared.brain.agents.source_chunker import agent as source_chunker
    from shared.brain.agents.topic_curator import agent as topic_curator
    from shared.brain.agents.tree_summarizer import agent as tree_summarizer

    modules = (
        cognitive_extractor,
        memory_deduper,
        contradiction_checker,
        evidence_seeker,
        committer,
        graph_extractor,
        focus_shift_judge,
        focus_distiller,
        identity_distiller,
        relevance_judge,
        source_chunker,
        tree_summarizer,
        topic_curator,
        situation_reporter,
    )
    return {one.AGENT.id: one.AGENT for one in modules}
