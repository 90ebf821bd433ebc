"""A Markdown file as a note: one that Memex has written, or one of anybody's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from infra.cli.vault.front_matter import BadFrontMatter, split
from infra.cli.vault.links import from_obsidian, to_titles
from infra.cli.vault.scanning import Scan, composed
from shared.contracts.limits import NOTE_BODY_BYTES, TAG_CHARACTERS, TAGS_PER_NOTE, TITLE_CHARACTERS
from shared.ids import derived

PRINT = "memex"
"""The field of the front matter that says which state of the note the file is: a file with it is one of Memex's."""
_PRINT = re.compile(r"[0-9a-f]{64}")
_KEPT = ("kind", "created_at", "updated_at", "source_note_id", "operation_id", "run_id", "summary")
_TAG = re.compile(r"(?<![\w/#&(])#([^\W\d_][\w/-]*)")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_MOMENTS = ("created_at", "created", "date created", "date")
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class NoNote(Exception):
    """The file is not taken in; the message is why, in one line."""


@dataclass
class Parsed:
    """A file as far as it is known before its links are: what is sent of it is `payload`."""

    path: str
    payload: dict[str, Any]
    ours: bool
    stem: str
    aliases: tuple[str, ...] = ()
    unknown: tuple[str, ...] = field(default=())
    """Fields of the front matter that a note has no place for."""


def parse(scanned: Scan, path: str, vault: str) -> Parsed:
    """The file at the path. Raises NoNote."""
    try:
        raw = scanned.read(path)
        modified = datetime.fromtimestamp(scanned.modified(path), timezone.utc)
    except (OSError, OverflowError, ValueError) as error:
        raise NoNote(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from error
    text = _text(raw)
    try:
        given, body = split(text)
    except BadFrontMatter as error:
        raise NoNote(str(error)) from error
    stem = composed(path.rpartition("/")[2]).rpartition(".")[0]
    if _PRINT.fullmatch(str(given.get(PRINT, ""))) and isinstance(given.get("id"), str) and given["id"]:
        return _ours(path, stem, given, body)
    payload = {
        "id": derived("note", "file", vault, composed(path)),
        "name": composed(path),
        "title": _title(given.get("title"), stem),
        "body": body.strip("\n"),
        "tags": _tags([*_listed(given.get("tags")), *_listed(given.get("tag")), *_inline(body)]),
        "created_at": next((at for name in _MOMENTS if (at := _moment(given.get(name)))), modified.isoformat()),
        "updated_at": modified.isoformat(),
    }
    known = {"title", "tags", "tag", "aliases", "alias", *_MOMENTS}
    aliases = (*_listed(given.get("aliases"), words=False), *_listed(given.get("alias"), words=False))
    return Parsed(path, payload, False, stem, aliases, tuple(name for name in given if name.lower() not in known))


class Titles:
    """What all files are called: links can be followed once each has been looked at."""

    def __init__(self) -> None:
        self._renamed: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def add(self, one: Parsed) -> None:
        title, path = one.payload["title"], composed(one.path).rpartition(".")[0]
        if one.ours and one.stem != title:
            self._renamed[one.stem] = title
        for name in (one.stem, path, *one.aliases):
            self._known.setdefault(name.casefold(), title)

    def link(self, one: Parsed) -> Parsed:
        """The file with its links as links to titles."""
        body = one.payload["body"]
        one.payload["body"] = to_titles(body, self._renamed) if one.ours else from_obsidian(body, self._known)
        return one


def _ours(path: str, stem: str, given: Mapping[str, Any], body: str) -> Parsed:
    title = given.get("title", "")
    fields = {name: given[name] for name in _KEPT if isinstance(given.get(name), str) and given[name]}
    payload = {
        **fields,
        "id": given["id"],
        "name": composed(path),
        "base": given[PRINT],
        "title": title if isinstance(title, str) and not _HIDDEN.search(title) else _title(title, ""),
        "tags": _tags(_listed(given.get("tags"))),
        "body": body.removeprefix("\r\n").removeprefix("\n").removesuffix("\n"),
        "partial": given.get("partial") == "true",
        "citations": [_citation(one) for one in given.get("citations") or () if isinstance(one, dict)],
    }
    for name in ("created_at", "updated_at"):
        moment = _moment(payload.pop(name, None))
        payload |= {name: moment} if moment else {}
    return Parsed(path, payload, True, stem)


def _citation(given: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and truth as such: the front matter has only text."""
    out: dict[str, Any] = {name: given[name] for name in ("title", "url", "note_id", "document_id") if given.get(name)}
    out["title"] = str(out.get("title", ""))
    for name in ("n", "page"):
        text = str(given.get(name) or "")
        out |= {name: int(text)} if text.isascii() and text.isdigit() else {}
    return {**out, **({"resolved": False} if given.get("resolved") == "false" else {})}


def _text(raw: bytes) -> str:
    if b"\x00" in raw:
        raise NoNote("it is binary")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoNote("it is no UTF-8 text") from error
    if len(raw) > NOTE_BODY_BYTES + 250_000:
        raise NoNote(f"it is larger than a note may be ({NOTE_BODY_BYTES:,} bytes)")
    return text


def _title(given: Any, stem: str) -> str:
    text = given if isinstance(given, str) and given.strip() else stem
    return " ".join(_HIDDEN.sub(" ", text).split())[:TITLE_CHARACTERS].strip()


def _listed(given: Any, *, words: bool = True) -> list[str]:
    """A list, or text with commas (and blanks, where single `words` are meant) between."""
    if isinstance(given, list):
        return [one for one in given if isinstance(one, str)]
    if not isinstance(given, str):
        return []
    return re.split(r"[,\s]+" if words else r"\s*,\s*", given.strip())


def _tags(given: list[str]) -> list[str]:
    """As the API takes them: one word each, in small letters."""
    plain = ("-".join(_HIDDEN.sub("", one).strip().lstrip("#").lower().split())[:TAG_CHARACTERS] for one in given)
    return list(dict.fromkeys(tag for tag in plain if tag.strip("-#/")))[:TAGS_PER_NOTE]


def _inline(body: str) -> list[str]:
    """#tags in the text, outside of code."""
    return _TAG.findall(_CODE.sub(" ", body))


def _moment(given: Any) -> str | None:
    if not isinstance(given, str):
        return None
    try:
        found = datetime.fromisoformat(given.strip())
        utc = (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
    return utc.isoformat()
