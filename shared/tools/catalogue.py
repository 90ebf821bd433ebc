"""Every tool, and the registries made of them."""

from __future__ import annotations

from typing import Any

from shared.tools import (
    analyse_dataframe,
    create_note,
    create_tasks,
    fetch_url,
    list_documents,
    list_recent_notes,
    list_tasks,
    make_digest,
    make_plot,
    queue_approval,
    read_document,
    read_note,
    recall_memory,
    search_documents,
    search_notes,
    start_research,
    start_run,
    update_note,
    update_task,
    web_search,
)
from shared.tools.registry import Registry
from shared.tools.tool import Tool
from shared.tools.untrusted import WEB_TOOLS

TOOLS: tuple[Tool[Any], ...] = (
    search_notes.TOOL,
    list_recent_notes.TOOL,
    read_note.TOOL,
    recall_memory.TOOL,
    search_documents.TOOL,
    list_documents.TOOL,
    read_document.TOOL,
    analyse_dataframe.TOOL,
    make_plot.TOOL,
    create_note.TOOL,
    update_note.TOOL,
    list_tasks.TOOL,
    create_tasks.TOOL,
    update_task.TOOL,
    start_research.TOOL,
    start_run.TOOL,
    web_search.TOOL,
    fetch_url.TOOL,
)


def acting(*, internet: bool = True, runs: bool = False) -> Registry:
    """For the chat, where the person's word is the approval, and for approved changes: every tool acts at once."""
    return Registry((*_offered(internet, runs), make_digest.TOOL), "act")


def looking(*, internet: bool = True) -> Registry:
    """For steps of runs: what changes nothing."""
    return Registry(tool for tool in _offered(internet) if not tool.mutates)


def proposing(*, internet: bool = True) -> Registry:
    """For routines: what would change something waits for a person instead, with a reason where one is given."""
    tools = _offered(internet)
    return Registry((*tools, queue_approval.tool(tools)), "propose")


def _offered(internet: bool, runs: bool = False) -> tuple[Tool[Any], ...]:
    """Those that may be used: without `internet` (ALLOW_INTERNET_ACCESS=off) none that goes out to the web, without
    `runs` (ALLOW_AGENT_RUNS=off) none that starts a run."""
    left_out = (frozenset() if internet else WEB_TOOLS) | (frozenset() if runs else {start_run.NAME})
    return tuple(tool for tool in TOOLS if tool.name not in left_out)
