"""The tools of the MCP server, one file each; shared/mcp/catalogue.py lists them."""
