"""The order of a report: which chosen sentence stands under which heading, and what stays open."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from infra.local.aiplatform.prompt import Prompt
from infra.local.aiplatform.rarity import Rarity
from infra.local.aiplatform.selection import Chosen, Selection
from infra.local.aiplatform.sentences import split_sentences
from infra.local.aiplatform.terms import term_list, terms

_ENOUGH = 0.51  # share of what a question asks
_LONGEST_LEAD = 180  # characters
_LEAD = 2  # sentences in the summary
_MOST_QUESTIONS, _MOST_GAPS = 6, 8
_MARK = re.compile(r"^\s*(?:[-*+•#>]+|\d{1,2}[.)])\s*(?:\[[ xX]\]\s*)?")


@dataclass(frozen=True)
class Section:
    heading: str
    paragraphs: tuple[tuple[Chosen, ...], ...]


@dataclass(frozen=True)
class Outline:
    """`unanswered` are questions of the topic, `unmentioned` words of it, that nothing in the notes bears on."""

    lead: tuple[Chosen, ...]
    sections: tuple[Section, ...]
    unanswered: tuple[str, ...]
    unmentioned: tuple[str, ...]


def questions_of(prompt: Prompt) -> list[str]:
    """The questions that the topic's text asks, as written, without list marks."""
    found = []
    for line in prompt.topic.splitlines():
        for sentence in split_sentences(_MARK.sub("", line)):
            question = sentence.strip("*_ ")
            if question.endswith(("?", "？")) and question not in found and question != prompt.title:
                found.append(question)
    return found[:_MOST_QUESTIONS]


def outline(prompt: Prompt, selection: Selection) -> Outline:
    """Answers under the question they fit best, the rest under the title of its note, single ones together."""
    chosen = selection.chosen
    questions = questions_of(prompt)
    lead = _lead(chosen)
    rest = [item for item in chosen if item not in lead]
    asked = _Asked(prompt, questions, selection.rarity)
    by_question = _by_question(asked, rest)
    placed = {id(item) for items in by_question.values() for item in items}
    sections = [
        Section(question, _paragraphs(by_question[question])) for question in questions if by_question[question]
    ]
    sections += _by_note([item for item in rest if id(item) not in placed])
    answered = {asked.best(item) for item in chosen}
    unanswered = tuple(question for question in questions if question not in answered)
    return Outline(lead, tuple(sections), unanswered, _unmentioned(prompt))


def _lead(chosen: list[Chosen]) -> tuple[Chosen, ...]:
    """The best sentences that need no neighbour, from different notes where there are several."""
    supported = {
        (item.sentence.note.id, item.sentence.place + step) for item in chosen if not item.score for step in (0, 1)
    }
    alone = [item for item in chosen if (item.sentence.note.id, item.sentence.place) not in supported]
    free = [item for item in alone if _leads(item.sentence.text)] or alone
    if not free or len(chosen) < _LEAD + 2:
        return tuple(free[:1])
    others = [item for item in free[1:] if item.sentence.note.id != free[0].sentence.note.id]
    return (free[0], *(others or free[1:])[: _LEAD - 1])


def _leads(text: str) -> bool:
    """Whether a sentence can open a report: not long, and prose from its first letter on."""
    return len(text) <= _LONGEST_LEAD and text[0].isalpha()


class _Asked:
    """The questions of the topic, each with what it asks beyond the title (all its words when nothing is beyond)."""

    def __init__(self, prompt: Prompt, questions: list[str], rarity: Rarity) -> None:
        title = terms(prompt.title)
        self._own = {question: (terms(question) - title) or terms(question) for question in questions}
        self._rarity = rarity

    def best(self, item: Chosen) -> str | None:
        """The question that a sentence bears on most, if it has, with its note's title, enough of what is asked."""
        context = item.terms | terms(item.sentence.note.title)
        shares = {question: self._rarity.share(own, context) for question, own in self._own.items() if own & item.terms}
        question = max(shares, key=lambda question: shares[question], default=None)
        return question if question is not None and shares[question] >= _ENOUGH else None


def _by_question(asked: _Asked, items: list[Chosen]) -> dict[str, list[Chosen]]:
    """Each sentence goes to the question that it bears on most, and what it leans on goes with it."""
    placed: dict[str, list[Chosen]] = defaultdict(list)
    supports: list[Chosen] = []
    for item in items:
        if not item.score:
            supports.append(item)
            continue
        question = asked.best(item)
        if question is not None:
            placed[question] += [*supports, item]
        supports.clear()
    return placed


def _by_note(items: list[Chosen]) -> list[Section]:
    groups: dict[str, list[Chosen]] = defaultdict(list)
    for item in items:
        groups[item.sentence.note.id].append(item)
    large = [group for group in groups.values() if len(group) > 1]
    single = [item for group in groups.values() if len(group) == 1 for item in group]
    sections = [Section(_heading(group[0].sentence.note.title), _paragraphs(group)) for group in large]
    if single:
        sections.append(Section("Also in the notes" if sections else "From the notes", _paragraphs(single)))
    return sections


def _heading(title: str) -> str:
    return " ".join(title.lstrip("# ").split()) or "From an untitled note"


def _paragraphs(items: list[Chosen]) -> tuple[tuple[Chosen, ...], ...]:
    """A paragraph for each note, its sentences in the order in which the note has them."""
    groups: dict[str, list[Chosen]] = defaultdict(list)
    for item in items:
        groups[item.sentence.note.id].append(item)
    return tuple(tuple(sorted(group, key=lambda item: item.sentence.place)) for group in groups.values())


def _unmentioned(prompt: Prompt) -> tuple[str, ...]:
    """Words of the title and the questions that occur in no note at all, as they are written there."""
    everywhere = frozenset[str]().union(*(terms(f"{note.title}\n{note.text}") for note in prompt.notes))
    asked = term_list("\n".join([prompt.title, *questions_of(prompt)]))
    missing = {term: word for term, word in reversed(asked) if term not in everywhere}
    return tuple(dict.fromkeys(missing[term] for term, _word in asked if term in missing))[:_MOST_GAPS]
