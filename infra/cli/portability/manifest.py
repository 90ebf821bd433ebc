"""manifest.json of an export: what it is of, and its files of lines with their checksums (docs/data.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.cli.errors import CliError
from shared.contracts.portability import FORMAT, FORMAT_VERSION

NAME = "manifest.json"
OBJECTS = "objects.jsonl"
_DOCUMENTS = re.compile(r"documents/([a-z_]{1,64})\.jsonl")
_OBJECT = re.compile(r"documents/[A-Za-z0-9_=-][A-Za-z0-9._=-]{0,199}(/[A-Za-z0-9_=-][A-Za-z0-9._=-]{0,199}){1,2}")


@dataclass(frozen=True)
class FileEntry:
    """A file of lines."""

    lines: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    export_id: str
    workspace: str
    at: str
    files: Mapping[str, FileEntry]
    unknown: tuple[str, ...] = ()

    @property
    def collections(self) -> tuple[str, ...]:
        """Those that it has, in the order in which they are taken in."""
        return tuple(match[1] for name in self.files if (match := _DOCUMENTS.fullmatch(name)))

    def text(self) -> str:
        """The file itself."""
        files = {name: vars(entry) for name, entry in self.files.items()}
        head = {"format": FORMAT, "v": FORMAT_VERSION, "export_id": self.export_id, "workspace": self.workspace}
        return json.dumps({**head, "at": self.at, "unknown": list(self.unknown), "files": files}, indent=1) + "\n"


def file_of(collection: str) -> str:
    return f"documents/{collection}.jsonl"


def object_file(name: str) -> str:
    """Where the bytes of an object lie in the export. Raises CliError for a name that leads elsewhere."""
    if not _OBJECT.fullmatch(name):
        raise CliError(f"The export names a file {name!r}, which no workspace has.", code="damaged")
    return f"objects/{name}"


def parse(text: bytes) -> Manifest:
    """Raises CliError for what is no manifest, or one of a later format."""
    try:
        given: Any = json.loads(text)
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise CliError("This is no export of Memex.", code="no_export")
        if given["v"] > FORMAT_VERSION:
            message = f"The export has format {given['v']}, and this Memex reads up to {FORMAT_VERSION}: update it."
            raise CliError(message, code="later_format")
        files = {str(name): _entry(entry) for name, entry in given["files"].items()}
        odd = [name for name in files if name != OBJECTS and not _DOCUMENTS.fullmatch(name)]
        if odd:
            raise CliError(f"The manifest names a file {odd[0]!r}, which no export has.", code="damaged")
        named = str(given["export_id"]), str(given["workspace"]), str(given["at"])
        return Manifest(*named, files, tuple(map(str, given.get("unknown", ()))))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise CliError("manifest.json is damaged: it is not what an export wrote.", code="damaged") from error


def _entry(given: Any) -> FileEntry:
    return FileEntry(int(given["lines"]), int(given["bytes"]), str(given["sha256"]))
