"""Every tool, and the registries made of them."""

from __future__ import annotations

from typing import Any

from shared.tools import create_note, list_recent_notes
from shared.tools.registry import Registry
from shared.tools.tool import Tool

TOOLS: tuple[Tool[Any], ...] = (create_note.TOOL, list_recent_notes.TOOL)


def acting() -> Registry:
    """For the chat, where the person's word is the approval, and for approved changes: every tool acts at once."""
    return Registry(TOOLS, "act")


def proposing() -> Registry:
    """For routines: what would change something waits for a person instead."""
    return Registry(TOOLS, "propose")
