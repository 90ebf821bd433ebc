"""Importing an export into a workspace: checked first, then sent page by page, then compared with what is there."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.portability import manifest, taking_out
from infra.cli.portability.patience import patiently
from infra.cli.portability.reading import Reader, StoredFile
from infra.cli.portability.telling import Steps, size_of
from infra.cli.stopping import Stopped
from shared.contracts.portability import EXPORT_PAGE_BYTES, IMPORT_PAGE_DOCUMENTS, OBJECT_PIECE_BYTES, OBJECTS_AT_ONCE

IMPORT = "/api/v1/import"
_ACCESS = ("members", "workspace")
_ASKED_BYTES = 200_000_000
"""What the server has to look through in one request, where all of it is there."""
_TOLD = 20
"""Of what differs, so many are named."""


@dataclass(frozen=True)
class How:
    """What the options say."""

    merge: bool = False
    dry_run: bool = False
    access: bool = False
    verify: bool = True


@dataclass
class Import:
    """What became of an export."""

    workspace: str
    resumed: bool
    dry_run: bool
    documents: Counter[str] = field(default_factory=Counter)
    objects: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason."""
    not_compared: set[str] = field(default_factory=set)
    """Collections of which something was refused that only an operator gives: there they cannot be the same."""
    verified: bool | None = None
    """Whether a second export is the same; None where that was not looked at."""
    unlike: list[str] = field(default_factory=list)
    """The files of the second export that are not."""

    @property
    def good(self) -> bool:
        return not self.differing and self.verified is not False

    def summary(self) -> dict[str, Any]:
        return {
            "workspace": self.workspace,
            "resumed": self.resumed,
            "dry_run": self.dry_run,
            "documents": dict(self.documents),
            "objects": dict(self.objects),
            "differing": self.differing,
            "left_out": dict(self.left_out),
            "verified": self.verified,
            "unlike": self.unlike,
        }


class TakingIn:
    """One run. `stop` is looked at between two requests."""

    def __init__(self, client: ApiClient, reader: Reader, how: How, steps: Steps, stop: threading.Event) -> None:
        self._client, self._reader, self._how, self._steps, self._stop = client, reader, how, steps, stop
        self._id = reader.manifest.export_id

    def run(self) -> Import:
        """Raises CliError, or Stopped where `stop` was set: then it goes on when it is run again."""
        self._reader.verify()
        how = self._how
        begin = {"export_id": self._id, "merge": how.merge, "dry_run": how.dry_run}
        begun = self._client.post(IMPORT, begin)
        made = Import(begun["workspace"], begun["resumed"], how.dry_run)
        found = self._reader.manifest
        self._steps.done(f"{found.workspace} as it was at {found.at}, into the workspace {made.workspace}")
        if begun["resumed"]:
            self._steps.done("  It was being taken in before: what is there already is passed over.")
        for collection in found.collections:
            self._collection(collection, made)
        self._objects(made)
        if not how.dry_run:
            patiently(lambda: self._client.post(f"{IMPORT}/end", {"export_id": self._id}), self._client.clock)
            if how.verify and not how.merge:
                self._verify(made)
        return made

    def _collection(self, collection: str, made: Import) -> None:
        counts = Counter[str]()
        for batch in _batches(self._reader.lines(collection)):
            self._check_stop()
            head = json.dumps({"export_id": self._id, "access": self._how.access, "dry_run": self._how.dry_run})
            data = head[:-1].encode() + b',"documents":[' + b",".join(batch) + b"]}"
            path = f"{IMPORT}/documents"
            answer = patiently(lambda: self._client.send(path, data, "application/json"), self._client.clock)  # noqa: B023
            _count(answer, made, counts)
            self._steps.now(f"{collection}: {sum(counts.values()):,}")
        made.documents.update(counts)
        if collection in _ACCESS and counts["left_out"]:
            made.not_compared.add(collection)
        if counts:
            self._steps.done(f"  {collection}: {_said(counts)}")

    def _objects(self, made: Import) -> None:
        waiting: list[StoredFile] = []
        for one in self._reader.objects():
            waiting.append(one)
            if len(waiting) == OBJECTS_AT_ONCE or sum(each.bytes for each in waiting) > _ASKED_BYTES:
                self._several(waiting, made)
                waiting = []
        self._several(waiting, made)
        if made.objects:
            self._steps.done(f"  files: {_said(made.objects)}")

    def _several(self, several: list[StoredFile], made: Import) -> None:
        if not several:
            return
        by_name = {one.name: one for one in several}
        wanted = []
        for result in self._ask(several)["results"]:
            if result["outcome"] == "wanted":
                wanted.append(by_name[result["name"]])
            else:
                _count({"results": [result]}, made, made.objects)
        for one in wanted:
            self._send(one)
            answer = self._ask([one])
            if answer["results"][0]["outcome"] == "wanted":
                raise CliError(
                    f"{one.name} did not arrive as it is in the export: is the file damaged?", code="damaged"
                )
            _count(answer, made, made.objects)

    def _ask(self, several: list[StoredFile]) -> dict[str, Any]:
        self._check_stop()
        body = {"export_id": self._id, "dry_run": self._how.dry_run, "objects": [vars(one) for one in several]}
        return patiently(lambda: self._client.post(f"{IMPORT}/objects", body), self._client.clock)

    def _send(self, one: StoredFile) -> None:
        self._steps.now(f"{one.name}: {size_of(one.bytes)}")
        with self._reader.content(one) as file:
            for start in range(0, one.bytes, OBJECT_PIECE_BYTES):
                self._check_stop()
                piece = file.read(OBJECT_PIECE_BYTES)
                params = {"export_id": self._id, "name": one.name, "sha256": one.sha256, "start": start}
                path, kind = f"{IMPORT}/piece", "application/octet-stream"
                patiently(lambda: self._client.send(path, piece, kind, **params), self._client.clock)  # noqa: B023

    def _verify(self, made: Import) -> None:
        """A second export, compared with the first by the checksums of its files."""
        begun = self._client.get(taking_out.EXPORT)
        for collection in self._reader.manifest.collections:
            if (collection in _ACCESS and not self._how.access) or collection in made.not_compared:
                continue
            self._check_stop()
            self._steps.now(f"comparing {collection}")
            digest = hashlib.sha256()
            for line in taking_out.lines(self._client, begun, collection):
                digest.update(line.encode() + b"\n")
            name = manifest.file_of(collection)
            if digest.hexdigest() != self._reader.manifest.files[name].sha256:
                made.unlike.append(name)
        there = {one["name"]: one["bytes"] for one in taking_out.objects(self._client)}
        if any(there.get(one.name) != one.bytes for one in self._reader.objects()):
            made.unlike.append(manifest.OBJECTS)
        made.verified = not made.unlike

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise Stopped


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for line in lines:
        if batch and (len(batch) == IMPORT_PAGE_DOCUMENTS or size + len(line) > EXPORT_PAGE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def _count(answer: dict[str, Any], made: Import, counts: Counter[str]) -> None:
    for one in answer["results"]:
        counts[one["outcome"]] += 1
        if one["outcome"] == "differs":
            made.differing.append(one["name"])
        elif one["outcome"] == "left_out":
            made.left_out[one["message"]] += 1


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {_WORDS.get(outcome, outcome)}" for outcome, count in sorted(counts.items()))


_WORDS = {"created": "created", "there": "there already", "differs": "differ", "left_out": "left out"}


def told(made: Import) -> Iterator[str]:
    """What there is to say at the end, a line each."""
    every = made.documents + made.objects
    would = "Would be: " if made.dry_run else ""
    yield f"{would}{_said(every) or 'there was nothing in it'}."
    for reason, count in made.left_out.items():
        yield f"  {count:,} left out: {reason}"
    for name in made.differing[:_TOLD]:
        yield f"  differs, and stays as it is: {name}"
    if len(made.differing) > _TOLD:
        yield f"  … and {len(made.differing) - _TOLD:,} more (--json names them all)"
    if made.verified:
        yield "Compared: a second export of the workspace is the same."
    elif made.unlike:
        yield f"Compared: these files of a second export are not the same: {', '.join(made.unlike)}."
