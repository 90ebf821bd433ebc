"""The report as text with citations: summary, sections, what the notes leave open, and who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.aiplatform.prompt import Note, Prompt
from infra.local.aiplatform.sections import Outline, Section, outline, questions_of
from infra.local.aiplatform.selection import Chosen, choose

_AUTHOR = (
    "*This report was written by the emulated research agent of the local cloud, by extraction from the notes: "
    "its sentences are theirs, and no model was asked.*\n"
)


@dataclass(frozen=True)
class Part:
    """A stretch of the report: annotations count UTF-8 bytes of `text`, end exclusive; the parts join without a gap."""

    label: str
    text: str
    annotations: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Report:
    """`queries` and `approach` are what the agent says it looked for on the way."""

    parts: tuple[Part, ...]
    queries: tuple[str, ...]
    approach: str


def write_report(prompt: Prompt) -> Report:
    """The report on the prompt's topic. Without evidence it is one part that says so, with no annotation."""
    subject = prompt.title or _first_line(prompt.topic) or "the topic"
    approach = f"The topic is “{subject}”; {_count(len(prompt.notes), 'note')} came with it."
    queries = tuple(dict.fromkeys([subject, *questions_of(prompt)[:2]]))
    selection = choose(prompt)
    if not selection.chosen:
        return Report((_nothing(prompt, subject),), queries, approach)
    plan = outline(prompt, selection)
    parts = [_opening(prompt, subject, plan, selection.chosen)]
    parts += [_section(section) for section in plan.sections]
    parts.append(_closing(plan))
    return Report(tuple(parts), queries, approach)


class _Text:
    """Text under construction that remembers which bytes of it come from which note."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._bytes = 0
        self._annotations: list[Mapping[str, Any]] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._bytes += len(text.encode())

    def cite(self, text: str, note: Note) -> None:
        start = self._bytes
        self.add(text)
        place = {"start_index": start, "end_index": self._bytes}
        title = note.title or note.id
        self._annotations.append({"type": "url_citation", "url": f"memex://notes/{note.id}", "title": title, **place})

    def paragraph(self, sentences: Iterable[Chosen]) -> None:
        for n, chosen in enumerate(sentences):
            self.add(" " if n else "")
            self.cite(chosen.sentence.text, chosen.sentence.note)
        self.add("\n\n")

    def part(self, label: str) -> Part:
        return Part(label, "".join(self._pieces), tuple(self._annotations))


def _opening(prompt: Prompt, subject: str, plan: Outline, chosen: list[Chosen]) -> Part:
    text = _Text()
    titles = dict.fromkeys(item.sentence.note.title or "an untitled note" for item in chosen)
    notes = len({item.sentence.note.id for item in chosen})
    text.add(f"# {subject}\n\n## Summary\n\n")
    if plan.lead:
        text.paragraph(plan.lead)
    verb = "bears" if notes == 1 else "bear"
    text.add(f"Of the {_count(len(prompt.notes), 'note')} given, {notes} {verb} on this: {_listed(list(titles))}.\n\n")
    return text.part("the summary")


def _section(section: Section) -> Part:
    text = _Text()
    text.add(f"## {section.heading}\n\n")
    for paragraph in section.paragraphs:
        text.paragraph(paragraph)
    return text.part(section.heading)


def _closing(plan: Outline) -> Part:
    text = _Text()
    text.add("## What the notes do not say\n\n")
    if plan.unanswered:
        text.add("These questions of the topic stay open:\n\n")
        text.add("".join(f"- {question}\n" for question in plan.unanswered) + "\n")
    if plan.unmentioned:
        text.add(f"No note mentions {_listed([f'“{word}”' for word in plan.unmentioned], 'or')}.\n\n")
    if not plan.unanswered and not plan.unmentioned:
        text.add(
            "Each word of the question occurs in the notes; whether they answer it is for the reader to judge.\n\n"
        )
    text.add("Nothing outside the notes was consulted, so what they leave out or have wrong is so here too.\n\n")
    text.add(_AUTHOR)
    return text.part("what stays open")


def _nothing(prompt: Prompt, subject: str) -> Part:
    if prompt.notes:
        reason = f"None of the {_count(len(prompt.notes), 'note')} given says anything on this topic"
    else:
        reason = "No notes were given"
    sentence = f"{reason}, so there is no evidence to report.\n\n"
    return Part("that there is no evidence", f"# {subject}\n\n{sentence}{_AUTHOR}")


def _first_line(text: str) -> str:
    line = next((line.strip("# ") for line in text.splitlines() if line.strip("# ")), "")
    return line if len(line) <= 100 else line[:100].rsplit(" ", 1)[0] + " …"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(items: list[str], word: str = "and") -> str:
    """a, b and c; no more than six by name."""
    if len(items) > 6:
        items = [*items[:6], f"{len(items) - 6} more"]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"
