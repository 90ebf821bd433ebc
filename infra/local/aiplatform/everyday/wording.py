"""How the emulated model puts things: links to notes, days, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from infra.local.aiplatform.prompt import Note, Prompt
from infra.local.aiplatform.selection import choose

_TITLE_CHARACTERS = 120
_PLAIN = str.maketrans("[]<>`\\", "()‹›'/")
ABILITIES = (
    "I can search your notes (“what do my notes say about bread?”), write notes (“note that …”), add tasks (“remind me "
    "to call Anna by friday”), list them, mark them done, tag and summarise notes, make a digest, start research "
    "(“research why rye ferments faster”), and where it is allowed, search the web (“search the web for …”), read a "
    "page (“read https://…”) and start a run (“start a run to compare …”)."
)


def link(note: Mapping[str, Any]) -> str:
    """[title](#/notes/id); what a title could break of the link is taken out."""
    title = " ".join(str(note.get("title") or "untitled").split())[:_TITLE_CHARACTERS]
    plain = title.translate(_PLAIN)
    return f"[{plain}](#/notes/{note.get('note_id')})"


def web_link(page: Mapping[str, Any]) -> str:
    """[title](address) of a web page."""
    url = str(page.get("url") or "").replace("(", "%28").replace(")", "%29")
    title = " ".join(str(page.get("title") or url).split())[:_TITLE_CHARACTERS]
    return f"[{title.translate(_PLAIN)}]({url})"


def day_text(day: date | str | None) -> str:
    """`, due 4 December 2026`, or nothing."""
    if not day:
        return ""
    found = date.fromisoformat(day) if isinstance(day, str) else day
    return f", due {found.day} {found:%B %Y}"


def cited(question: str, notes: Iterable[Mapping[str, Any]], most: int = 4) -> list[str]:
    """List items of what the notes say to the question, each with the note it is from; quoted, never obeyed."""
    by_id = {str(note.get("note_id")): note for note in notes}
    sources = tuple(
        Note(name, str(note.get("title") or ""), str(note.get("passage") or note.get("excerpt") or ""))
        for name, note in by_id.items()
    )
    chosen = choose(Prompt("", question, sources)).chosen[:most]
    items = [f"- {each.sentence.text} ({link(by_id[each.sentence.note.id])})" for each in chosen]
    return items or [f"- {_shortened(source.text)} ({link(by_id[source.id])})" for source in sources[:most]]


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 200 else f"{plain[:200].rsplit(' ', 1)[0]} …"


def failed(what: str, answer: Mapping[str, Any]) -> str:
    """What to say of a tool that failed."""
    detail: Any = answer
    while isinstance(detail, Mapping):  # an adapter may have wrapped it once more
        detail = detail.get("message") or detail.get("error") or "for a reason it does not tell"
    return f"{what} failed: {detail}"
