"""How things stand as a Markdown list, made by rule: what the note always has, whatever a model writes above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.brain.agents.situation_reporter.gathering import Disagreement, Situation
from shared.contracts.operations import Operation
from shared.contracts.tasks import Task

_LINE, _SUMMARY, _CITED = 200, 1_000, 10
_MARKUP = re.compile(r"([\\`*_\[\]<>#|!])")


def title_of(situation: Situation) -> str:
    return f"Situation on {situation.now.date().isoformat()}"


def listed(situation: Situation) -> str:
    """The sections that have something in them."""
    sections = (
        ("Focus", _focus(situation)),
        ("Contradictions", [_disagreement(one) for one in situation.disagreements]),
        ("Due", [_task(one, situation) for one in situation.tasks]),
        ("Under way", [_operation(one) for one in situation.running]),
        ("Failed", [_operation(one) for one in situation.failed]),
    )
    return "\n\n".join(f"## {name}\n\n" + "\n".join(lines) for name, lines in sections if lines)


def escaped(text: str) -> str:
    """Someone's words on one line, without a meaning in Markdown."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split())[:_LINE])


def _focus(situation: Situation) -> Sequence[str]:
    focus = situation.focus
    if focus is None:
        return ()
    why = ", ".join(f"[{n}](#/records/{one})" for n, one in enumerate(focus.record_ids[:_CITED], 1))
    summary = _MARKUP.sub(r"\\\1", " ".join(focus.summary.split())[:_SUMMARY])
    rests = f" (remembered: {why})" if why else ""
    return (f"**{escaped(focus.title)}**{rests}", *(("", summary) if summary else ()))


def _disagreement(one: Disagreement) -> str:
    first, second = (f"[{escaped(record.text)}](#/records/{record.id})" for record in one.records)
    return f"- {first} or {second}? [Choose](#/memory/contradictions)"


def _task(task: Task, situation: Situation) -> str:
    late = task.due is not None and task.due < situation.now.date()
    return f"- {escaped(task.title)}" + (f" ({'overdue since' if late else 'due'} {task.due})" if task.due else "")


def _operation(operation: Operation) -> str:
    named = f"[{escaped(operation.title or operation.kind.replace('_', ' '))}](#/operations/{operation.id})"
    return f"- {named}" + (f": {escaped(operation.error.message)}" if operation.error is not None else "")
