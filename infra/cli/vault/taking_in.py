"""Taking a folder of Markdown files in as notes, and its attachments as documents."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.portability.patience import patiently
from infra.cli.portability.telling import Steps
from infra.cli.vault.parsing import NoNote, Parsed, Titles, parse
from infra.cli.vault.scanning import Scan, Skipped, composed, scan
from shared.contracts.note_files import NOTE_FILES_AT_ONCE
from shared.ids import derived

IMPORT = "/api/v1/notes/import"
_BATCH_BYTES = 2_000_000
_REFUSALS = frozenset({"invalid_input", "too_large"})


@dataclass(frozen=True)
class How:
    """What the options say. `vault` is the name by which its files are known again."""

    vault: str
    dry_run: bool = False
    research: bool = False
    overwrite: bool = False
    attachments: bool = True


@dataclass(frozen=True)
class Change:
    """What became, or would become, of a file."""

    path: str
    outcome: str
    message: str = ""
    note_id: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


@dataclass
class TakenIn:
    changes: list[Change] = field(default_factory=list)
    documents: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    """Fields of front matter that no note has a place for, and in how many files."""
    quiet: int = 0
    """New notes with the tag `research` that is not to begin anything."""
    researched: int = 0

    @property
    def good(self) -> bool:
        return not any(one.outcome in ("conflict", "refused") for one in self.changes)

    @property
    def counts(self) -> Counter[str]:
        return Counter(one.outcome for one in self.changes)

    def summary(self) -> dict[str, Any]:
        return {
            "notes": dict(self.counts),
            "documents": dict(self.documents),
            "researched": self.researched,
            "not_researched": self.quiet,
            "files": [
                {"path": one.path, "outcome": one.outcome, "note_id": one.note_id, "message": one.message}
                for one in self.changes
            ],
            "skipped": [{"path": one.path, "why": one.why} for one in self.skipped],
            "front_matter_left_out": dict(self.unknown),
        }


def take_in(client: ApiClient, folder: Path, how: How, steps: Steps) -> TakenIn:
    """Every note of the folder. Raises CliError."""
    scanned, taken = scan(folder), TakenIn()
    taken.skipped += scanned.skipped
    titles = Titles()
    paths = list(_looked_at(scanned, how.vault, titles, taken))
    sent = 0
    for batch in _batches(_again(scanned, paths, how.vault, titles, taken)):
        for one, result in zip(batch, _results(client, batch, how), strict=True):
            _note(one, result, taken)
        sent += len(batch)
        steps.now(f"{sent:,} of {len(paths):,} notes")
    if how.attachments:
        _documents(client, scanned, how, taken, steps)
    else:
        taken.skipped += [Skipped(path, "attachments are not wanted") for path in scanned.documents]
    return taken


def _again(scanned: Scan, paths: list[str], vault: str, titles: Titles, taken: TakenIn) -> Iterator[Parsed]:
    """The files once more, now that all titles are known: so not all of them are held at once."""
    for path in paths:
        try:
            yield titles.link(parse(scanned, path, vault))
        except NoNote as why:  # it has changed since
            taken.skipped.append(Skipped(path, str(why)))


def _looked_at(scanned: Scan, vault: str, titles: Titles, taken: TakenIn) -> Iterator[str]:
    """The paths of files that are notes, each of another one."""
    ids: dict[str, str] = {}
    for path in scanned.notes:
        try:
            one = parse(scanned, path, vault)
        except NoNote as why:
            taken.skipped.append(Skipped(path, str(why)))
            continue
        other = ids.setdefault(one.payload["id"], path)
        if other != path:
            taken.skipped.append(Skipped(path, f"it is the same note as {other}"))
            continue
        taken.unknown.update(one.unknown)
        titles.add(one)
        yield path


def _batches(parsed: Iterable[Parsed]) -> Iterator[list[Parsed]]:
    batch: list[Parsed] = []
    size = 0
    for one in parsed:
        length = len(json.dumps(one.payload))
        if batch and (len(batch) == NOTE_FILES_AT_ONCE or size + length > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += length
    if batch:
        yield batch


def _results(client: ApiClient, batch: list[Parsed], how: How) -> list[dict[str, Any]]:
    """What became of each; where the server refuses them together, they are sent one by one."""
    body = {
        "notes": [one.payload for one in batch],
        "research": how.research,
        "overwrite": how.overwrite,
        "dry_run": how.dry_run,
    }
    try:
        answer = patiently(lambda: client.post(IMPORT, body), client.clock)
    except CliError as error:
        if error.code not in _REFUSALS:
            raise
        if len(batch) == 1:
            return [{"id": batch[0].payload["id"], "outcome": "refused", "message": error.message}]
        return [result for one in batch for result in _results(client, [one], how)]
    results: list[dict[str, Any]] = answer["results"]
    return results


def _note(one: Parsed, result: dict[str, Any], taken: TakenIn) -> None:
    before = result.get("before")
    after = one.payload if before is not None else None
    taken.changes.append(Change(one.path, result["outcome"], result.get("message", ""), result["id"], before, after))
    taken.researched += bool(result.get("researched"))
    asks = "research" in one.payload["tags"] and one.payload.get("kind", "capture") == "capture"
    taken.quiet += asks and result["outcome"] == "created" and not result.get("researched")


def _documents(client: ApiClient, scanned: Scan, how: How, taken: TakenIn, steps: Steps) -> None:
    """Files that documents are made of, each once for what is in it."""
    if not scanned.documents:
        return
    workspace = str(client.get("/api/v1/me")["workspace"])
    for path in scanned.documents:
        steps.now(path)
        name = path.rpartition("/")[2]
        try:
            data = (scanned.root / path).read_bytes()
        except OSError as error:
            taken.skipped.append(Skipped(path, f"it cannot be read: {error.strerror}"))
            continue
        key = "file-" + hashlib.sha256(f"{how.vault}\x1f{composed(path)}\x1f".encode() + data).hexdigest()[:48]
        if _is_there(client, derived("document", workspace, key)):
            taken.documents["same"] += 1
        elif how.dry_run:
            taken.documents["created"] += 1
        else:
            _upload(client, path, name, data, key, taken)


def _is_there(client: ApiClient, document_id: str) -> bool:
    try:
        patiently(lambda: client.get(f"/api/v1/documents/{quote(document_id, safe='')}"), client.clock)
    except CliError as error:
        if error.code != "not_found":
            raise
        return False
    return True


def _upload(client: ApiClient, path: str, name: str, data: bytes, key: str, taken: TakenIn) -> None:
    try:
        patiently(lambda: client.upload("/api/v1/documents", name, data, key=key), client.clock)
    except CliError as error:
        if error.code in ("unauthorized", "forbidden", "token_expired", "unreachable", "broken"):
            raise
        taken.skipped.append(Skipped(path, error.message))
        return
    taken.documents["created"] += 1
