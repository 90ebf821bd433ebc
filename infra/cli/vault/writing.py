"""Writing notes into a folder: a file each, none over what somebody has changed there, none twice."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.portability.patience import patiently
from infra.cli.portability.telling import Steps
from infra.cli.vault.front_matter import joined
from infra.cli.vault.links import to_files
from infra.cli.vault.names import Names
from infra.cli.vault.parsing import PRINT, NoNote, Titles, parse
from infra.cli.vault.scanning import Scan, composed, scan
from shared.notes.fingerprints import fingerprint

NOTES = "/api/v1/notes"
_PAGE = 200
_FIELDS = ("source_note_id", "operation_id", "run_id", "summary")


@dataclass
class Written:
    """What became of each note, and of the files that were there."""

    to: Path
    files: Counter[str] = field(default_factory=Counter)
    """written | same | changed_there | elsewhere"""
    changed_there: list[str] = field(default_factory=list)
    """Files that somebody has changed since: they stay, and memex notes import takes them in."""
    without_note: list[str] = field(default_factory=list)
    """Files of notes that are no longer there."""

    def summary(self) -> dict[str, Any]:
        return {
            "to": str(self.to),
            "files": dict(self.files),
            "changed_there": self.changed_there,
            "without_note": self.without_note,
        }


@dataclass(frozen=True)
class _File:
    """A file of a note: what it is now, and what the note was when it was written."""

    path: str
    fingerprint: str
    base: str


@dataclass(frozen=True)
class _There:
    """The files of notes that lie in the folder, by the note's id."""

    scanned: Scan
    by_id: Mapping[str, _File]

    @classmethod
    def of(cls, folder: Path) -> _There:
        scanned, titles, paths = scan(folder), Titles(), []
        for path in scanned.notes:
            try:
                one = parse(scanned, path, "")
            except NoNote:
                continue
            titles.add(one)
            paths += [path] if one.ours else []
        by_id: dict[str, _File] = {}
        for path in paths:
            try:
                one = titles.link(parse(scanned, path, ""))
            except NoNote:  # it has changed since
                continue
            found = fingerprint(one.payload["title"], one.payload["tags"], one.payload["body"])
            by_id.setdefault(one.payload["id"], _File(path, found, one.payload["base"]))
        return cls(scanned, by_id)


def export(client: ApiClient, folder: Path, steps: Steps) -> Written:
    """Every note as a Markdown file in the folder, which is made where there is none. Raises CliError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CliError(f"{folder} cannot be written: {error.strerror}") from error
    listed = sorted(_listed(client), key=lambda one: (one["created_at"], one["id"]))
    there, names = _There.of(folder), Names()
    for path in there.scanned.notes:
        names.take(composed(path.rpartition("/")[2]).rpartition(".")[0])
    paths = {one["id"]: _path_of(one, there, names) for one in listed}
    stems = {one["title"]: _stem(paths[one["id"]]) for one in reversed(listed) if one["title"]}
    renamed = {title: stem for title, stem in stems.items() if title != stem}
    written = Written(folder)
    for number, one in enumerate(listed, 1):
        steps.now(f"{number:,} of {len(listed):,}")
        note = patiently(lambda one=one: client.get(f"{NOTES}/{quote(one['id'], safe='')}"), client.clock)["note"]  # type: ignore[misc]
        _place(folder, paths[note["id"]], note, renamed, there, written)
    written.without_note = sorted(one.path for id_, one in there.by_id.items() if id_ not in paths)
    return written


def text_of(note: Mapping[str, Any], stem: str, renamed: Mapping[str, str]) -> str:
    """The file of a note."""
    title = note["title"]
    fields: dict[str, Any] = {"id": note["id"], "title": title, "kind": note["kind"], "tags": list(note["tags"])}
    if title and title != stem:
        fields["aliases"] = [title]
    fields |= {name: note[name] for name in ("created_at", "updated_at")}
    fields |= {name: note[name] for name in _FIELDS if note.get(name)}
    if note.get("partial"):
        fields["partial"] = True
    if note.get("citations"):
        fields["citations"] = [_citation(one) for one in note["citations"]]
    fields[PRINT] = fingerprint(title, note["tags"], note["body"])
    return joined(fields, to_files(note["body"], renamed))


def _listed(client: ApiClient) -> Iterator[dict[str, Any]]:
    """Every note, its body cut."""
    cursor = None
    while True:
        params = {"limit": _PAGE, "cursor": cursor}
        page = patiently(lambda params=params: client.get(NOTES, **params), client.clock)  # type: ignore[misc]
        yield from page["notes"]
        cursor = page.get("next_cursor")
        if not cursor:
            return


def _path_of(note: Mapping[str, Any], there: _There, names: Names) -> str:
    """Where a note's file is, or is to be: somebody may have moved it."""
    known = there.by_id.get(note["id"])
    if known is not None:
        return known.path
    first = next((line.strip("# \t") for line in note["body"].splitlines() if line.strip("# \t")), "")
    return f"{names.of(note['title'] or first[:80], note['id'])}.md"


def _place(
    folder: Path, path: str, note: Mapping[str, Any], renamed: Mapping[str, str], there: _There, written: Written
) -> None:
    text = text_of(note, _stem(path), renamed)
    known = there.by_id.get(note["id"])
    if known is not None:
        if known.fingerprint not in (known.base, fingerprint(note["title"], note["tags"], note["body"])):
            written.files["changed_there"] += 1
            written.changed_there.append(path)
            return
        if there.scanned.read(path) == text.encode():
            written.files["same"] += 1
            return
    _write(folder / path, text)
    written.files["written"] += 1


def _write(file: Path, text: str) -> None:
    """Whole or not at all; what is there is replaced, a link by a file."""
    partial = file.with_name(f".{os.getpid()}.memex-partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(text.encode(errors="replace"))
        partial.replace(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise CliError(f"{file} cannot be written: {error.strerror}") from error


def _stem(path: str) -> str:
    return composed(path.rpartition("/")[2]).rpartition(".")[0]


def _citation(one: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is as it always is."""
    always = {"v": 1, "resolved": True}
    return {name: value for name, value in one.items() if value is not None and always.get(name) != value}
