"""Every tool, and the registries made of them."""

from __future__ import annotations

from typing import Any

from shared.tools import (
    create_note,
    create_tasks,
    fetch_url,
    list_recent_notes,
    list_tasks,
    queue_approval,
    read_note,
    search_notes,
    start_research,
    update_note,
    update_task,
    web_search,
)
from shared.tools.registry import Registry
from shared.tools.tool import Tool

TOOLS: tuple[Tool[Any], ...] = (
    search_notes.TOOL,
    list_recent_notes.TOOL,
    read_note.TOOL,
    create_note.TOOL,
    update_note.TOOL,
    list_tasks.TOOL,
    create_tasks.TOOL,
    update_task.TOOL,
    start_research.TOOL,
    web_search.TOOL,
    fetch_url.TOOL,
)
WEB = frozenset({web_search.NAME, fetch_url.NAME})
"""Those that go out to the web; what they answer was written by strangers."""


def acting(*, internet: bool = True) -> Registry:
    """For the chat, where the person's word is the approval, and for approved changes: every tool acts at once."""
    return Registry(_offered(internet), "act")


def proposing(*, internet: bool = True) -> Registry:
    """For routines: what would change something waits for a person instead, with a reason where one is given."""
    tools = _offered(internet)
    return Registry((*tools, queue_approval.tool(tools)), "propose")


def _offered(internet: bool) -> tuple[Tool[Any], ...]:
    """All of them; without `internet` (ALLOW_INTERNET_ACCESS=off) none of WEB."""
    return tuple(tool for tool in TOOLS if internet or tool.name not in WEB)
