"""Puts the sample notes into a Memex; twice is once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infra.cli.client import ApiClient
from infra.cli.demo.memex import SampleNote


def put_in(client: ApiClient, notes: Sequence[SampleNote]) -> list[dict[str, Any]]:
    """Write the notes through the API, in order, each under a key of its own; they are returned as the API has them."""
    return [
        client.post(
            "/api/v1/notes",
            {"title": note.title, "body": note.body, "tags": list(note.tags)},
            key=f"sample-{note.name}",
        )["note"]
        for note in notes
    ]
