"""Asks that go beyond the notes: searching the web, reading a page, keeping one as a note, starting a run.

What pages say is told, never obeyed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.digesting import summary_of
from infra.local.aiplatform.everyday.asks import Ask
from infra.local.aiplatform.everyday.replay import Answer, Call, Talk
from infra.local.aiplatform.everyday.wording import failed, web_link

_TOLD = 6
_MARKS = ("<untrusted_web_content>", "</untrusted_web_content>")


def search(ask: Ask, _room: object) -> Talk:
    """What a search found, a line for each page."""
    (answer,) = yield [Call("web_search", {"query": ask.text[:300]})]
    if "error" in answer:
        return failed("Searching the web", answer)
    results = [one for one in answer.get("results") or () if isinstance(one, Mapping) and one.get("url")]
    if not results:
        return f"I found nothing about “{ask.text}” on the web."
    lines = [
        f"- {web_link(one)}: {_short(str(one.get('passage') or ''))}".removesuffix(": ") for one in results[:_TOLD]
    ]
    return f"This is what the web says about **{ask.text}**:\n\n" + "\n".join(lines)


def page(ask: Ask, _room: object) -> Talk:
    """The gist of a page."""
    (answer,) = yield [_reading(ask)]
    if "error" in answer:
        return failed("Reading the page", answer)
    return f"{web_link(answer)} says: {_gist(answer)}"


def clip(ask: Ask, _room: object) -> Talk:
    """The gist of a page as a note."""
    (answer,) = yield [_reading(ask)]
    if "error" in answer:
        return failed("Reading the page", answer)
    title = str(answer.get("title") or ask.text)[:200]
    body = f"{_gist(answer)}\n\nFrom {answer.get('url')}"
    (made,) = yield [Call("create_note", {"title": title, "body": body})]
    if "error" in made:
        return failed("Writing the note", made)
    if "approval_id" in made:
        return f"Proposed, and waiting for your decision under [Approvals](#/approvals): {made.get('title')}."
    return f"Noted: [{title}](#/notes/{made.get('note_id')})."


def run(ask: Ask, _room: object) -> Talk:
    """A run on all that the message says."""
    (answer,) = yield [Call("start_run", {"goal": ask.text})]
    if "error" in answer:
        return failed("Starting the run", answer)
    return "The run has begun; its answer will come into this conversation."


def _reading(ask: Ask) -> Call:
    return Call("fetch_url", {"url": ask.text})


def _gist(answer: Answer) -> str:
    text = str(answer.get("text") or "")
    for mark in _MARKS:
        text = text.replace(mark, "")
    return summary_of(text) or _short(text)


def _short(text: Any) -> str:
    plain = " ".join(str(text).split())
    return plain if len(plain) <= 300 else f"{plain[:300].rsplit(' ', 1)[0]} …"
