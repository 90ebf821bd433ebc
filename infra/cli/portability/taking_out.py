"""Exporting a workspace into a file or a folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.portability import manifest
from infra.cli.portability.manifest import Manifest
from infra.cli.portability.patience import patiently
from infra.cli.portability.telling import Steps, size_of
from infra.cli.portability.writing import Writer
from shared.contracts.portability import OBJECT_PIECE_BYTES
from shared.store.typed import line_of

EXPORT = "/api/v1/export"


@dataclass
class Files:
    """The files of the workspace that were written."""

    count: int = 0
    bytes: int = 0
    gone: list[str] = field(default_factory=list)
    """Those that were deleted while they were to be read."""


@dataclass(frozen=True)
class Export:
    """What was written."""

    manifest: Manifest
    files: Files

    def summary(self) -> dict[str, Any]:
        files = self.manifest.files
        counts = {name: files[manifest.file_of(name)].lines for name in self.manifest.collections}
        return {
            "export_id": self.manifest.export_id,
            "workspace": self.manifest.workspace,
            "at": self.manifest.at,
            "documents": {name: count for name, count in counts.items() if count},
            "objects": self.files.count,
            "object_bytes": self.files.bytes,
            "unknown": list(self.manifest.unknown),
            "gone": self.files.gone,
        }


def export(client: ApiClient, to: Path, steps: Steps) -> Export:
    """Everything of the workspace, as it was at one moment, into `to`. Raises CliError."""
    begun = client.get(EXPORT)
    steps.done(f"The workspace {begun['workspace']} as it was at {begun['at']}")
    with Writer(to) as writer:
        ids = Counter[str]()
        for collection in begun["collections"]:
            found = _noted(lines(client, begun, collection), ids if collection == "documents" else None)
            entry = writer.lines(manifest.file_of(collection), _told(found, collection, steps))
            if entry.lines:
                steps.done(f"  {collection}: {entry.lines:,}, {size_of(entry.bytes)}")
        files = Files()
        writer.lines(manifest.OBJECTS, list(_objects(client, writer, ids, files, steps)))
        named = begun["export_id"], begun["workspace"], begun["at"]
        return Export(writer.finish(*named, tuple(begun["unknown"])), files)


def lines(client: ApiClient, begun: dict[str, Any], collection: str) -> Iterator[str]:
    """The lines of a collection at the moment of the export."""
    cursor = None
    path = f"{EXPORT}/documents/{quote(collection, safe='')}"
    while True:
        params = {"at": begun["at"], "cursor": cursor}
        page = patiently(lambda params=params: client.get(path, **params), client.clock)  # type: ignore[misc]
        for one in page["documents"]:
            yield line_of(one["path"], one["fields"])
        cursor = page.get("next_cursor")
        if not cursor:
            return


def objects(client: ApiClient) -> Iterator[dict[str, Any]]:
    """The files of the workspace as they are now: {name, bytes}."""
    cursor = None
    while True:
        params = {"cursor": cursor}
        page = patiently(lambda params=params: client.get(f"{EXPORT}/objects", **params), client.clock)  # type: ignore[misc]
        yield from page["objects"]
        cursor = page.get("next_cursor")
        if not cursor:
            return


def _objects(client: ApiClient, writer: Writer, ids: Counter[str], files: Files, steps: Steps) -> Iterator[str]:
    """The lines of objects.jsonl; the files of documents that are not in the export are no part of it."""
    for one in objects(client):
        if one["name"].split("/")[1] not in ids:
            continue
        steps.now(f"{one['name']}: {size_of(one['bytes'])}")
        try:
            size, digest = writer.file(manifest.object_file(one["name"]), _pieces(client, one))
        except CliError as error:
            if error.code != "not_found":
                raise
            files.gone.append(one["name"])
            continue
        files.count += 1
        files.bytes += size
        yield json.dumps({"bytes": size, "name": one["name"], "sha256": digest}, separators=(",", ":"))
    if files.count:
        steps.done(f"  files: {files.count:,}, {size_of(files.bytes)}")


def _pieces(client: ApiClient, one: dict[str, Any]) -> Iterator[bytes]:
    for start in range(0, max(1, one["bytes"]), OBJECT_PIECE_BYTES):
        params = {"name": one["name"], "start": start}
        yield patiently(lambda params=params: client.octets(f"{EXPORT}/object", **params), client.clock)  # type: ignore[misc]


def _noted(found: Iterator[str], ids: Counter[str] | None) -> Iterator[str]:
    """The lines as they are; of documents, the ids are kept."""
    for line in found:
        if ids is not None:
            ids[json.loads(line)["path"].partition("/")[2]] += 1
        yield line


def _told(found: Iterator[str], collection: str, steps: Steps) -> Iterator[str]:
    for number, line in enumerate(found, 1):
        if number % 100 == 0:
            steps.now(f"{collection}: {number:,}")
        yield line
