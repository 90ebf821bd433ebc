"""The tools of the MCP server by name. The place to add one: its file below tools/, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.mcp.tool import McpTool
from shared.mcp.tools import (
    memory_agent_run,
    memory_agent_status,
    memory_job_retry,
    memory_provenance,
    memory_recall,
    notes_create,
    notes_search,
    research_start,
    tasks_list,
)

TOOLS: Mapping[str, McpTool[Any]] = {
    tool.name: tool
    for tool in (
        memory_recall.TOOL,
        memory_provenance.TOOL,
        memory_agent_status.TOOL,
        memory_agent_run.TOOL,
        memory_job_retry.TOOL,
        notes_search.TOOL,
        notes_create.TOOL,
        tasks_list.TOOL,
        research_start.TOOL,
    )
}
