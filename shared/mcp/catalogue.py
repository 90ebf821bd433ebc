"""The tools of the MCP server by name. The place to add one: its file below tools/, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.mcp.tool import McpTool
from shared.mcp.tools import notes_create, notes_search, research_start, tasks_list

TOOLS: Mapping[str, McpTool[Any]] = {
    tool.name: tool
    for tool in (
        notes_search.TOOL,
        notes_create.TOOL,
        tasks_list.TOOL,
        research_start.TOOL,
    )
}
