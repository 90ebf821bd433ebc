"""A step by rule: search everywhere, read what fits best, tell the sentences that bear on the task, with their ids."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from infra.local.aiplatform.agent.counted import named
from infra.local.aiplatform.agent.dates import WANTED, has_day
from infra.local.aiplatform.agent.marks import piece, pieces, said
from infra.local.aiplatform.prompt import Note, Prompt
from infra.local.aiplatform.selection import choose
from infra.local.aiplatform.sentences import sentences_of
from infra.local.aiplatform.terms import term_list

_SEARCHES = ("search_notes", "search_documents", "web_search")
_READERS = {"note_id": "read_note", "document_id": "read_document", "url": "fetch_url"}
_READ, _SENTENCES, _QUERY_WORDS = 2, 6, 10
_DOCUMENTS_READ, _DEADLINES = 5, 30
_DOCUMENTS = re.compile(r"\b(?:contracts?|documents?|agreements?|pdfs?|files?|leases?)\b", re.IGNORECASE)
_OUTER = re.compile(r"\bAsked as a part of:.*\Z", re.DOTALL)
_CLAUSE = re.compile(r"\n(?=\d{1,2}\.\d{1,2}\s)")
_PLACE_AND_DAY = 6  # words of "Linz and Wels, 22 January 2026."
_OUR_OWN = frozenset({"answer", "digest", "review"})
"""Kinds of notes that were put together of others: what they say is looked up where they have it from."""
_WRAPPER = re.compile(r"</?[a-z_]+[^>]*>")


def calls_or_text(contents: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> list[dict[str, Any]] | str:
    """The calls that come next, or what was found."""
    asked = said(contents[0])
    task = named(piece(asked, "task"), (step.text for step in pieces(asked, "step")))
    answers = list(_answers(contents))
    called = {name for name, _response in answers}
    if _DOCUMENTS.search(asked) and "list_documents" in tools and "read_document" in tools:
        return _from_documents(task, answers)
    if not answers:
        searches = [name for name in _SEARCHES if name in tools] or list(tools[:1])
        return [{"name": name, "args": {"query": _query(task)}} for name in searches]
    if not called & set(_READERS.values()):
        reading = list(_reading(answers, tools))
        if reading:
            return reading
    return _told(task, answers)


def _from_documents(task: str, answers: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]] | str:
    """The person's documents, those that the task names or else all, read whole; then what bears on the task."""
    called = [name for name, _answer in answers]
    if "list_documents" not in called:
        return [{"name": "list_documents", "args": {}}]
    hits = [hit for _name, answer in answers for hit in _hits(answer) if hit.get("document_id")]
    named = [hit for hit in hits if _names(task, str(hit.get("name", "")))] or hits
    if "read_document" not in called and named:
        return [
            {"name": "read_document", "args": {"document_id": hit["document_id"]}} for hit in named[:_DOCUMENTS_READ]
        ]
    if not WANTED.search(task):
        return _told(task, answers)
    texts = _texts([pair for pair in answers if pair[0] == "read_document"])
    dated = [f"- {PurePath(note.title).stem}: {text} [{note.id}]" for note in texts for text in _dated(note)]
    return "\n".join(dated[:_DEADLINES]) or f"No deadline was found on this: {_query(task)}."


def _names(task: str, name: str) -> bool:
    """Whether the name stands in the task, and not only its letters within another word."""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", task, re.IGNORECASE) is not None


def _dated(page: Note) -> Iterator[str]:
    """The sentences of a page with a day in them: a clause stands apart from its heading, place and day are none."""
    apart = replace(page, text=_CLAUSE.sub("\n\n", page.text))
    for one in sentences_of(apart):
        if has_day(one.text) and len(one.text.split()) > _PLACE_AND_DAY:
            yield _flat(one.text)


def _query(task: str) -> str:
    """The words of the task that say something, in their order; without what it is a part of."""
    words = dict.fromkeys(word for _term, word in term_list(_OUTER.sub("", task)))
    return " ".join(list(words)[:_QUERY_WORDS]) or task[:100]


def _answers(contents: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(tool, answer) of every call so far."""
    for content in contents:
        for part in content.get("parts", ()):
            answer = part.get("functionResponse")
            if isinstance(answer, Mapping) and isinstance(answer.get("response"), Mapping):
                yield str(answer.get("name")), answer["response"]


def _reading(answers: Sequence[tuple[str, Mapping[str, Any]]], tools: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Calls that read the best hits of each search, each thing once."""
    for _name, answer in answers:
        taken: dict[str, None] = {}
        for hit in _hits(answer):
            for key, reader in _READERS.items():
                if hit.get(key) and reader in tools and hit[key] not in taken and len(taken) < _READ:
                    taken[str(hit[key])] = None
                    yield {"name": reader, "args": {key: hit[key]}}


def _hits(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    lists = (answer.get(name) for name in ("notes", "passages", "results", "documents"))
    hits = [hit for one in lists if isinstance(one, list) for hit in one if isinstance(hit, Mapping)]
    return [hit for hit in hits if hit.get("kind") not in _OUR_OWN]


def _told(task: str, answers: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    texts = list(_texts(answers))
    chosen = choose(Prompt("", _OUTER.sub("", task), tuple(texts))).chosen[:_SENTENCES]
    if not chosen:
        return f"Nothing was found on this: {_query(task)}."
    return "\n".join(f"- {_flat(one.sentence.text)} [{one.sentence.note.id}]" for one in chosen)


def _texts(answers: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[Note]:
    """What was read, each under the id that it is cited by; a title in cite_as leads to it."""
    known: set[str] = set()
    for _name, answer in answers:
        ids = [str(one.get("id", "")).strip("[]") for one in answer.get("cite_as", ()) if isinstance(one, Mapping)]
        titles = [str(one.get("title", "")) for one in answer.get("cite_as", ()) if isinstance(one, Mapping)]
        for n, (title, text) in enumerate(_readable(answer)):
            source = ids[n] if n < len(ids) and titles[n] == title[:200] else _named(ids, titles, title)
            if source and text not in known:
                known.add(text)
                yield Note(source, title, text)


def _named(ids: Sequence[str], titles: Sequence[str], title: str) -> str:
    return next((name for name, known in zip(ids, titles, strict=True) if known == title[:200]), "")


def _readable(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(title, text) of each thing in an answer, in the order in which its sources are named."""
    title = str(answer.get("title") or answer.get("name") or "")
    whole = answer.get("body") or answer.get("text")
    if isinstance(whole, str):
        yield title, _plain(whole)
    elif isinstance(whole, list):
        yield from ((title, _plain(str(page.get("text", "")))) for page in whole if isinstance(page, Mapping))
    for hit in _hits(answer):
        yield str(hit.get("title") or hit.get("name") or ""), _plain(str(hit.get("passage", "")))


def _plain(text: str) -> str:
    return html.unescape(_WRAPPER.sub(" ", text)).strip()


def _flat(text: str) -> str:
    return " ".join(text.split())
