"""What import contracts cannot say of packages of others: who may import the Firestore client, and the SDK of MCP."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENT = "google.cloud.firestore"
ALLOWED = ("shared/store/", "shared/bootstrap.py")


def imported(source: str) -> Iterator[str]:
    """Every module that the source may import, with `from a import b` as a and as a.b."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_the_store_and_bootstrap_import_the_firestore_client() -> None:
    found = []
    for folder in ("shared", "functions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(ALLOWED) and any(item.startswith(CLIENT) for item in imported(path.read_text())):
                found.append(name)
    assert not found


def test_every_way_to_import_the_client_is_seen() -> None:
    ways = (
        "from google.cloud import firestore",
        "import google.cloud.firestore_v1 as f",
        "from google.cloud.firestore import Client",
    )
    assert all(any(item.startswith(CLIENT) for item in imported(way)) for way in ways)


def test_only_the_server_imports_the_sdk_of_mcp_and_is_itself_imported_at_the_first_request_alone() -> None:
    sdk, at_once = [], []
    for folder in ("shared", "functions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name, source = path.relative_to(ROOT).as_posix(), path.read_text()
            if any(item.partition(".")[0] in ("mcp", "mcp_types") for item in imported(source)):
                sdk.append(name)
            whole = ast.parse(source)
            whole.body = [node for node in whole.body if isinstance(node, ast.Import | ast.ImportFrom)]
            if "shared.mcp.server" in imported(ast.unparse(whole)):
                at_once.append(name)
    assert sdk == ["shared/mcp/server.py"] and at_once == []
