"""Every tool, and the registries made of them."""

from __future__ import annotations

from typing import Any

from shared.tools import (
    create_note,
    create_tasks,
    list_recent_notes,
    list_tasks,
    queue_approval,
    read_note,
    search_notes,
    start_research,
    update_note,
    update_task,
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
)


def acting() -> Registry:
    """For the chat, where the person's word is the approval, and for approved changes: every tool acts at once."""
    return Registry(TOOLS, "act")


def proposing() -> Registry:
    """For routines: what would change something waits for a person instead, with a reason where one is given."""
    return Registry((*TOOLS, queue_approval.tool(TOOLS)), "propose")
