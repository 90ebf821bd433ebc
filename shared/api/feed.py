"""An Atom feed of the newest notes, for feed readers: they cannot send a token, so its address is a secret."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import quote
from xml.etree import ElementTree

from flask import Request, Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.notes import FeedAnswer, Note
from shared.markdown import html
from shared.markdown.render import visible
from shared.store.note_reading import first_line
from shared.store.notes import NotesWanted

ENTRIES = 30
BODY_CHARACTERS = 20_000
_ATOM = "http://www.w3.org/2005/Atom"
_BEGINNING = datetime.min.isoformat() + "Z"


def feed_address(call: Call) -> Response:
    secret = call.app.entrance.feed_secret(call.principal)
    return answers.model(FeedAnswer(path=f"/api/v1/feed/{secret}"))


def feed(call: Call) -> Response:
    wanted = NotesWanted(limit=ENTRIES, kind=call.query.get("kind"), tag=call.query.get("tag"))
    notes = call.store.notes.list(wanted).notes
    page = call.app.settings.cors_origins.split(",")[0].strip() or call.request.host_url.rstrip("/")
    return answers.text(_document(call.request, call.principal.workspace, page, notes), "application/atom+xml")


def _document(request: Request, workspace: str, page: str, notes: Sequence[Note]) -> str:
    ElementTree.register_namespace("", _ATOM)
    root = ElementTree.Element(f"{{{_ATOM}}}feed")
    updated = max((note.updated_at.isoformat() for note in notes), default=_BEGINNING)
    for name, text in (("id", f"urn:memex:{workspace}"), ("title", "Memex"), ("updated", updated)):
        _add(root, name, text)
    _add(root, "link", rel="alternate", href=f"{page}/")
    _add(root, "link", rel="self", href=request.url)
    _add(_add(root, "author"), "name", "Memex")
    for note in notes:
        _entry(_add(root, "entry"), f"urn:memex:{workspace}:{quote(note.id, safe='')}", page, note)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _entry(entry: ElementTree.Element, name: str, page: str, note: Note) -> None:
    _add(entry, "id", name)
    _add(entry, "title", note.title or first_line(note) or "(empty)")
    _add(entry, "published", note.created_at.isoformat())
    _add(entry, "updated", note.updated_at.isoformat())
    _add(entry, "link", rel="alternate", href=f"{page}/#/notes/{quote(note.id, safe='')}")
    for tag in note.tags:
        _add(entry, "category", term=tag)
    body = note.body if len(note.body) <= BODY_CHARACTERS else f"{note.body[:BODY_CHARACTERS]}…"
    _add(entry, "content", html(body).replace('href="#/', f'href="{page}/#/'), type="html")


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    made = ElementTree.SubElement(
        parent, f"{{{_ATOM}}}{name}", {key: visible(value) for key, value in attributes.items()}
    )
    made.text = visible(text) or None
    return made
