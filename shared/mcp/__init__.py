"""Memex as an MCP server: the tools that any MCP client may call, over streamable HTTP, without sessions."""
